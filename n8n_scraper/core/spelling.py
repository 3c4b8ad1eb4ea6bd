"""Tell a slip of the keyboard in a name from a name that we merely do not know."""

from __future__ import annotations

from collections.abc import Iterable

_LONG = 8
"""From this length on two slips are as likely as one in a shorter name."""

_A_WORD = 4
"""From this length on a word with a wrong letter is seldom another word, as APP is for API."""


def misspelt(name: str, known: Iterable[str]) -> str | None:
    """Give the known name that was meant; None for a known name and for one of somebody else."""
    names = list(known)
    if name in names:
        return None
    slips = 2 if len(name) >= _LONG else 1
    near = [(slips_between(name, one, slips), one) for one in names]
    least, meant = min(near, default=(slips + 1, ""))
    return meant if least <= slips else None


def mistyped(name: str, known: Iterable[str]) -> str | None:
    """Give the known name that one wrong key has made this one; None for a name of its own.

    Where other programs have names too, a word more or less is no slip, nor is another short word.

    >>> mistyped("RATE_LIMT_RATE", ["RATE_LIMIT_RATE"]), mistyped("APP_URL", ["API_URL"])
    ('RATE_LIMIT_RATE', None)
    """
    names = list(known)
    near = [one for one in names if _share_a_half(name, one) and slips_between(name, one, 1) == 1]
    if not near:  # as for nearly all: every command asks about the whole environment
        return None
    words = name.split("_")
    if any(_holds(words, theirs) or _holds(theirs, words) for theirs in map(_words_of, names)):
        return None
    return next((one for one in near if not _has_another_word(words, _words_of(one))), None)


def _share_a_half(name: str, other: str) -> bool:
    """Whether all before or all behind the middle is the same, as it is after a single slip."""
    half = max(len(name) // 2 - 1, 0)
    return other.startswith(name[:half]) or other.endswith(name[len(name) - half :])


def _words_of(name: str) -> list[str]:
    return name.split("_")


def _holds(words: list[str], others: list[str]) -> bool:
    """Whether all of the others stand among the words, in their order."""
    left = iter(words)
    return all(word in left for word in others)


def _has_another_word(words: list[str], others: list[str]) -> bool:
    """Whether a letter is wrong in a word so short that it makes another word of it."""
    return len(words) == len(others) and any(
        len(ours) == len(theirs) < _A_WORD and sorted(ours) != sorted(theirs)
        for ours, theirs in zip(words, others, strict=True)
    )


def slips_between(left: str, right: str, most: int) -> int:
    """Count letters missing, too many, wrong, or swapped with their neighbour; `most` + 1 is many.

    >>> slips_between("JOBDR", "JOBDIR", 2), slips_between("JOBIDR", "JOBDIR", 2)
    (1, 1)
    """
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most + 1:  # a swap may still take one of them back
            return most + 1
    return min(row[-1], most + 1)
