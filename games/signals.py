"""What other apps may listen to."""

from django.dispatch import Signal

game_finished = Signal()
"""A game has been played to its end and the transaction has committed. Argument: ``game_id``."""
