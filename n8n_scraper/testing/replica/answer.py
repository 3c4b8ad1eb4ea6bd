"""One answer of a stand-in, and the words that say of which type it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

JSON = "application/json; charset=utf-8"
HTML = "text/html; charset=utf-8"
XML = "application/xml"
TEXT = "text/plain; charset=utf-8"
GZIP = "application/gzip"


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, ready to send."""

    body: bytes = b""
    content_type: str = JSON
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
