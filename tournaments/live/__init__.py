"""Pushes the pages of events and ladders to their sockets: frames and ladders render them, hub sends them."""
