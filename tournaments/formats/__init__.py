"""Tournament formats as pure functions: no framework, no clock, no input or output.

Every format has a module of its own with its rules and

    pair(snapshot, rules, seed) -> Draw

The same snapshot, rules and seed give the same draw. What has happened goes in as a
:class:`~tournaments.formats.event.Snapshot`, what shall happen next comes out as a
:class:`~tournaments.formats.event.Draw`, each table with the reasons for it. A reason
is a value; :func:`~tournaments.formats.words.words` says it with the names and in the language of
who asks. What was drawn and played goes into the next snapshot by ``draw.finished(results)``.

Reading order: words, event, history, orders (what a director fixes by hand), matching, then any format.
"""
