"""Tell an author's edit from a secret that the server has blacked out.

The site replaces what looks like a secret by a placeholder, at a time of its own choosing, so two
answers months apart differ although nobody has edited anything. What is compared here is the same
as long as one side can be had from the other by putting placeholders in.
"""

from __future__ import annotations

import re
from typing import Any

# A placeholder may stand inside base64, where letters of the secret's neighbours touch it.
_PLACEHOLDER = re.compile(r"YOUR_[A-Z0-9_]*?_HERE|YOUR_[A-Z0-9_]+|user@example\.com|\[REDACTED\]")
_MAIL = "user@example.com"
_GONE = "[REDACTED]"
_CREDENTIAL_ID = "credential-id"
_SPACE = re.compile(r"\s+")


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal, or differ only by what the server has blacked out."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other or is_blacked_out(one, other) or is_blacked_out(other, one)
    if is_blank_of(one, other):
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    # True is 1 in Python, and is not in JSON.
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def is_blacked_out(blacked: str, original: str) -> bool:
    """Whether the first is the second with some secrets replaced by placeholders."""
    if not original or not _PLACEHOLDER.search(blacked):
        return False
    if _PLACEHOLDER.fullmatch(blacked) and blacked != _MAIL:
        return True  # a secret as a whole may have spaces: a private key, a pass phrase
    # Inside a text it has none, so the words on both sides stand face to face.
    return _spaces(blacked) == _spaces(original) and all(
        map(_is_blacked_out_word, _SPACE.split(blacked), _SPACE.split(original))
    )


def _spaces(text: str) -> list[str]:
    return _SPACE.findall(text)


def _is_blacked_out_word(blacked: str, original: str) -> bool:
    """Find what is left of the word in the original, in order, something in each gap."""
    if blacked == original:
        return True
    first, *pieces = _PLACEHOLDER.split(blacked)
    if not pieces or not original.startswith(first) or _mails_missing(blacked, original):
        return False
    position = len(first)
    for piece in pieces[:-1]:
        position = original.find(piece, position + 1) + len(piece)
        if position < len(piece):  # it was not found
            return False
    return len(original) - len(pieces[-1]) > position and original.endswith(pieces[-1])


def _mails_missing(blacked: str, original: str) -> bool:
    return blacked.count(_MAIL) > original.count("@")


def is_blank_of(one: Any, other: Any) -> bool:
    """Whether one of two values as a whole stands for the other."""
    return _is_blank(one, other) or _is_blank(other, one)


def _is_blank(blacked: Any, original: Any) -> bool:
    """Whether one side stands for a whole credential, or for whatever else was there."""
    if blacked == _GONE:
        return original is not None
    return (
        isinstance(blacked, dict)
        and blacked.get("id") == _CREDENTIAL_ID
        and set(blacked) <= {"id", "name"}
        and str(blacked.get("name", " Credential")).endswith(" Credential")
        and isinstance(original, dict | str)
    )
