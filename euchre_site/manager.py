"""Supervisord, which starts its programs at once (of itself it first waits a second).

``python -I manager.py -c <configuration file>``. Run as a file, so that it starts without importing
the site.
"""

from __future__ import annotations

from supervisor import supervisord


class Manager(supervisord.Supervisor):
    def runforever(self) -> None:
        for group in sorted(self.process_groups.values()):
            group.transition()
        super().runforever()


if __name__ == "__main__":
    supervisord.Supervisor = Manager
    supervisord.main()
