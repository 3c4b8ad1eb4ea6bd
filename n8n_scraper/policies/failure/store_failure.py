"""Judge whether a database that failed may come back by itself."""

from __future__ import annotations

# PostgreSQL's own codes: connections that broke, transactions that lost against another one.
_PASSING_CLASSES = ("08", "40")
_PASSING = frozenset(
    {
        "23505",  # another crawl has entered the same just before: who looks again finds it
        "53300",  # too many connections
        "55P03",  # somebody else's lock
        "57P01",  # stopped by its administrator
        "57P02",  # stopped after a crash of another session
        "57P03",  # starting up
        "57P05",  # the session was idle for too long
    }
)
# A connection that is refused brings no code, only the server's words. A server that speaks
# another language is waited for in vain, and then says the same.
_LASTING_WORDS = (
    "authentication failed",
    "no password supplied",
    "does not exist",
    "no pg_hba.conf entry",
    "permission denied",
    "is not permitted to log in",
    "is not currently accepting connections",  # a database that is closed to all
    "but SSL was required",
)


def may_come_back(code: str | None, words: str) -> bool:
    """Whether waiting can help; without a code, `words` say why nobody could connect."""
    if code is None:
        return not any(lasting in words for lasting in _LASTING_WORDS)
    return code[:2] in _PASSING_CLASSES or code in _PASSING
