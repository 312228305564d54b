"""House rules that a player keeps under a name of his own."""

from __future__ import annotations

import unicodedata
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import Rules, format_rules
from games.models import Player, RuleSet
from games.services.errors import UserError

LIMIT: Final = 20
"""Sets that one player may keep."""

LONGEST_NAME: Final = 40
"""Characters."""


def save_rules(*, owner_id: int, name: str, rules: Rules) -> int:
    """Keep rules under a name; the set's id. A set of that name, whatever its case, is replaced.

    UserError for a name that is empty, too long or cannot be seen, and for one set too many.
    Locks the owner's row. Idempotent.
    """
    name = clean_name(name)
    with transaction.atomic():
        if not Player.objects.select_for_update().filter(pk=owner_id).exists():
            raise UserError(_("Your account is gone. Join again to save rules."))
        own = RuleSet.objects.filter(owner_id=owner_id)
        kept = own.filter(name_key=key_of(name)).first()
        if kept is None and own.count() >= LIMIT:
            raise UserError(_("You have saved %(limit)d sets, and that is all. Delete one first.") % {"limit": LIMIT})
        kept = kept or RuleSet(owner_id=owner_id, name_key=key_of(name))
        kept.name, kept.rules = name, format_rules(rules)
        kept.save()
    return kept.pk


def delete_rules(*, owner_id: int, set_id: int) -> str | None:
    """Delete a player's set; its name, or None where he has no such set. Idempotent."""
    kept = RuleSet.objects.filter(pk=set_id, owner_id=owner_id).first()
    if kept is None:
        return None
    kept.delete()
    return kept.name


def clean_name(name: str) -> str:
    """The name of a set as it is stored. UserError says what to change."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise UserError(_("Give the rules a name that can be seen."))
    if len(name) > LONGEST_NAME:
        raise UserError(
            _("Keep the name to %(limit)d characters; it has %(length)d.")
            % {"limit": LONGEST_NAME, "length": len(name)}
        )
    return name


def key_of(name: str) -> str:
    """What is the same for two spellings of a set's name that differ in case alone."""
    return unicodedata.normalize("NFC", name.casefold())
