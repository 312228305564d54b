"""Clubs, their tournaments and ladders: formats are pure, everything else as in ``games``."""
