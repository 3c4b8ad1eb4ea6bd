"""Say which category may have been meant by a name under which the site lists nothing."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

_NEAR = 0.75
"""How much of two names must be the same, as a share."""


def words_for(asked: str, names: Sequence[str]) -> str:
    """Name what is near, and then all that there are; without names, only that there is nothing."""
    nothing = f"-a category={asked!r}: the site lists no template of this category"
    if not names or asked.lower() in map(str.lower, names):
        return f"{nothing}."
    by_sound = {name.lower(): name for name in names}
    near = [by_sound[one] for one in get_close_matches(asked.lower(), by_sound, cutoff=_NEAR)]
    meant = f"; is it {' or '.join(near)}?" if near else "."
    return f"{nothing}{meant} Its categories are: {', '.join(names)}."
