"""Tell apart the place, the time and the price that stand in one text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from n8n_scraper.reading.prices import tells_a_price
from n8n_scraper.reading.whens import is_about_time

_MOST_WORDS = 40
_PRICE = re.compile(
    r"(?:\bfrom\s+)?(?:\b(?:MOP|HKD|USD|CNY|RMB)\b\$?|\b(?:MOP|HKD)(?=\d)|HK\$|US\$|\$)\s*\d", re.I
)


@dataclass(frozen=True, slots=True)
class Block:
    """What a text says of a place, of a time and of a price; each in its words."""

    place: str | None
    time: str | None
    price: str | None


def apart(lines: Sequence[str]) -> Block:
    """Give each line to what it is about; one that is about several is cut."""
    place, time, price = list[str](), list[str](), list[str]()
    for line in lines:
        before, cost = _cut_price(line)
        if cost:
            price.append(cost)
        if is_about_time(before):
            time.append(before)
            continue
        head, tail = _cut_time(before)
        if tail:
            time.append(tail)
        if head:
            place.append(head)
    return Block(_joined(place, ", "), _joined(time, "\n"), _joined(price, ", "))


def _cut_price(line: str) -> tuple[str, str]:
    match = _PRICE.search(line)
    if match:
        return line[: match.start()].strip(" ,|-–"), line[match.start() :].strip()
    return ("", line) if tells_a_price(line) else (line, "")


def _cut_time(line: str) -> tuple[str, str]:
    """Cut "The Arena, The House 18 Oct 2025 (Sat) 8:00pm" where what is about time begins."""
    words = line.split(" ")
    cut = len(words)
    while cut > max(1, len(words) - _MOST_WORDS) and is_about_time(" ".join(words[cut - 1 :])):
        cut -= 1
    tail = " ".join(words[cut:])
    if not re.search(r"\d", tail) or tail.isdecimal():
        return line, ""
    return " ".join(words[:cut]).strip(" ,|-–"), tail


def _joined(parts: Sequence[str], sign: str) -> str | None:
    return sign.join(part for part in parts if part) or None
