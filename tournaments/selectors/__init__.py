"""Reads, at a constant number of queries."""
