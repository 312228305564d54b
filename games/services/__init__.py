"""Every write. Each function states its lock, its side effects and its errors.

One rule holds them together: whoever changes a table, its seats or its game first locks the
table's row (:func:`games.services.row.lock_table`) inside a transaction and saves the row
before the transaction ends; the push to the browsers follows the commit. A plain move, which
changes the row alone, does without the lock and is written only if the row is as it was read.
"""
