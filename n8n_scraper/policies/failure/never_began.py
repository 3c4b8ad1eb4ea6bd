"""Tell a request that cannot have done anything from one that only has no answer."""

from __future__ import annotations

_NO_CONNECTION = frozenset(
    {"ConnectTimeout", "ProxyError", "SSLError", "NewConnectionError", "NameResolutionError"}
)
"""Of requests and urllib3, by name: neither is imported to ask the question."""


def never_began(error: BaseException) -> bool:
    """Whether there was no connection at all, so that nothing can have been done."""
    seen: BaseException | None = error
    while seen is not None:
        if type(seen).__name__ in _NO_CONNECTION:
            return True
        inner = seen.args[0] if seen.args and isinstance(seen.args[0], BaseException) else None
        reason = getattr(seen, "reason", None)
        seen = inner or (reason if isinstance(reason, BaseException) else None)
    return False
