"""What the rest of the site may listen to."""

from django.dispatch import Signal

event_changed = Signal()
"""An event was changed and the transaction has committed. Arguments: ``event_id``, ``version``."""

ladder_changed = Signal()
"""The same for a ladder. Arguments: ``ladder_id``, ``version``."""
