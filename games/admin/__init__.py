"""The staff's desk: look at players, tables and games; see to what people report.

The cards of a running deal are shown to nobody, staff included.
"""

from games.admin import play, talk  # noqa: F401  registers them
