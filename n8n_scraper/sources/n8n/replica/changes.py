"""Tells how the catalogue differs from its first state, for runs that update an archive."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Changes:
    """What happened to the catalogue since it was first seen.

    ``edited`` gives a template's revision by id, ``renamed`` its new title by id; ``removed`` ids
    vanish from the sitemap and answer 404; ``added`` templates follow at the end.
    """

    edited: Mapping[int, int] = field(default_factory=dict)
    added: int = 0
    removed: frozenset[int] = frozenset()
    renamed: Mapping[int, str] = field(default_factory=dict)
