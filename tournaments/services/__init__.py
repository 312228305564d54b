"""Every write. Each function states its side effects and its errors.

Whoever changes a club, its members or what they have written locks the people concerned, in the
order of their ids, and then the club's row (:func:`tournaments.services.book.open_book`): so
does the end of an account, and nobody waits for somebody who waits for him.
"""
