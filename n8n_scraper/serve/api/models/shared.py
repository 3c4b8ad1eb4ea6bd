"""What the shapes have in common."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
"""Any number from 1 on that both databases can hold."""

Moment: TypeAlias = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
        r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$",
        max_length=40,
        description="A day or a moment in ISO 8601; one without a zone is of UTC.",
        examples=["2026-11-19T05:00:00Z"],
    ),
]

Url: TypeAlias = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?([/?#][!-~]*)?$",
        max_length=2000,
        description="An address on the web, in ASCII as it is asked for.",
        examples=["https://site.example/item/7"],
    ),
]

_NO_NUL = "^[^\\x00]*$"

Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=4000, pattern=_NO_NUL)]
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=_NO_NUL)]
Word: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=_NO_NUL)]
"""A part of an address, in which not much has room."""

Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=2000, pattern=_NO_NUL)]
Metadata: TypeAlias = dict[
    Annotated[str, msgspec.Meta(max_length=100, pattern=_NO_NUL)], Text | bool | int | float | None
]


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """What a program sends: nothing that is not named here."""


class Answer(msgspec.Struct):
    """What a program is answered."""


class ProblemDocument(Answer):
    """Why an answer is none (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: Annotated[str, msgspec.Meta(description="One sentence for a person.")]


Unset: TypeAlias = msgspec.UnsetType
UNSET = msgspec.UNSET
