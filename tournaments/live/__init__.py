"""Pushes the pages of events to their sockets: frames renders them, hub sends them."""
