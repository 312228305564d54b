"""How a worker's bots get ready to think."""

from __future__ import annotations

import logging
import time
from datetime import datetime

from django.conf import settings

from games.bots import analysis, strong
from games.models import Pulse

log = logging.getLogger(__name__)

COMPILED, PLAIN = "compiled", "plain"


def warm_up(now: datetime) -> str:
    """Load what the bots of this process think with, and say so in the log and on the status page:
    ``compiled``, or ``plain`` where numba is missing or EUCHRE_COMPILED is 0: there they play by
    rules of thumb. The first time on a machine it takes 45 seconds of a core (what is compiled is
    kept), later a second or two; meanwhile bots play, by rules of thumb. Locks nothing."""
    began = time.monotonic()
    wanted = settings.EUCHRE_COMPILED
    thinking = COMPILED if wanted and strong.warm() and analysis.warm() else PLAIN
    if thinking == COMPILED:
        log.info("bots are ready after %.1f s", time.monotonic() - began)
    elif wanted:
        log.warning("numba is not installed here: bots play by rules of thumb, and analyses take their time")
    Pulse.objects.update_or_create(name="bots", defaults={"at": now, "note": thinking})
    return thinking
