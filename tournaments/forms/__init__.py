"""What people fill in, a module for each part: clubs, events, seasons."""
