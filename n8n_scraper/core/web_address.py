"""Tell addresses on the web from what only looks like one."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+|\[[0-9a-f:]+\]|localhost", re.I)
# A value that is put in later, or a part that a person is to fill in.
_UNKNOWN = re.compile(r"[{}<>\s]|&[lg]t;")


def host_of(text: str) -> str:
    """Give the host that an address or a bare name speaks of, without `www.`; else nothing."""
    try:
        parts = urlsplit(text if "//" in text else f"//{text}")
        host = parts.hostname or ""
    except ValueError:
        return ""
    return host.rstrip(".").removeprefix("www.")


def is_web_address(url: str) -> bool:
    """Whether anybody can ask there: a whole address, without a blank to fill."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    known = not _UNKNOWN.search(url) and _HOST.fullmatch(host) is not None
    return known and parts.scheme in ("http", "https")
