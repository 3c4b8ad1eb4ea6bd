"""Read what admission costs out of the words that people wrote."""

from __future__ import annotations

import re

from n8n_scraper.sources.hk_events.item import Price

_ASIDE = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_FREE = re.compile(r"free\b", re.IGNORECASE)
_FOOTNOTES = str.maketrans(dict.fromkeys("*^#+%", " "))
_MOST_DIGITS = 5  # "250180" is two prices whose comma was forgotten
# Digits with commas between them, each comma either in a number or between two.
_RUN = r"\d+(?:,\d+)*"
_ONLY_AMOUNTS = re.compile(rf"\s*\$?\s*{_RUN}(?:\s*[,;&/-]?\s*\$?\s*{_RUN})*\s*")


def read_price(text: str) -> Price | None:
    """Turn the words into a price; None where there are none.

    What is more than numbers, footnote marks and remarks in brackets keeps its words alone.
    """
    words = " ".join(text.split())
    if not words:
        return None
    bare = _ASIDE.sub(" ", words).translate(_FOOTNOTES)
    if _ONLY_AMOUNTS.fullmatch(bare):
        if amounts := _amounts(bare):
            return Price(text=words, amounts=amounts, currency="HKD", is_free=not any(amounts))
    elif _FREE.match(words):
        return Price(text=words, amounts=[], currency=None, is_free=True)
    return Price(text=words, amounts=None, currency=None, is_free=None)


def _amounts(text: str) -> list[float] | None:
    found: list[float] = []
    for run in re.findall(_RUN, text):
        numbers = _numbers(run)
        if numbers is None:
            return None
        found += numbers
    return found


def _numbers(run: str) -> list[float] | None:
    """Tell "1,280", which is one number, from "180,100", which is two; None where both could be.

    Prices are listed from the dearest down, and none has a zero in front.
    """
    first, *rest = run.split(",")
    if any(len(part) > _MOST_DIGITS for part in (first, *rest)):
        return None
    numbers = [float(first)]
    for part in rest:
        before = numbers[-1]
        if len(part) == 3 and (part[0] == "0" or before < 10):
            numbers[-1] = before * 1000 + float(part)
        elif len(part) == 3 and before < float(part):
            return None
        else:
            numbers.append(float(part))
    return numbers
