"""How fast the site is, against the fastest that the same server can be on the same machine.

``make bench`` (``python -m tests.bench``; ``--quick`` for a minute and a half) starts real
servers, connects real sockets and plays: log-ins from the database, four people a table, every
move read from the forms of the frames received, games to the end with scores and ratings. In
the same run and by the same clients it loads a bare ASGI application (:mod:`tests.bench.bare`)
that does nothing but send 4.2 KB to four sockets; the product is given as a ratio to it.

Before that, in a quarter of a minute, it plays random deals by the engine and by other engines
(:mod:`tests.bench.engine`; ``--engine`` for nothing else), and solves deals with every card known
(:mod:`tests.bench.solver`; ``--solver``).

What counts is the server's CPU time per action (``/proc/<pid>/task/*/schedstat``): on a machine
that does other things too, rates and latencies say less.
"""
