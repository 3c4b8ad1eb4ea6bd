"""Read what admission costs out of the words that people wrote."""

from __future__ import annotations

import re

from n8n_scraper.reading.values import Price

_CODES = ("MOP", "HKD", "USD", "CNY", "TWD", "SGD", "JPY", "EUR", "GBP", "AUD", "CAD", "THB", "KRW")
_SIGNS = {
    "MOP$": "MOP",
    "澳門元": "MOP",
    "澳門幣": "MOP",
    "葡幣": "MOP",
    "PATACAS": "MOP",
    "HK$": "HKD",
    "港幣": "HKD",
    "港元": "HKD",
    "US$": "USD",
    "NT$": "TWD",
    "S$": "SGD",
    "A$": "AUD",
    "€": "EUR",
    "£": "GBP",
    "RMB": "CNY",
    "人民幣": "CNY",
    "人民币": "CNY",
    **{code: code for code in _CODES},
}
_ANY_SIGN = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
_CURRENCY = rf"(?:(?:{_ANY_SIGN})\s*\$?|[$元])"
_ASIDE = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_FREE = re.compile(
    r"free\b|(?:admission|entry|entrance)\s*:?\s*(?:is\s*)?free\b|(?:費用|入場)?[:：]?\s*免[費费]",
    re.IGNORECASE,
)
_ON_CONDITION = re.compile(
    r"\b(?:with|for|if|until|when|before|members?)\b|\d|憑|會員", re.IGNORECASE
)
_FOOTNOTES = str.maketrans(dict.fromkeys("*^#+%", " "))
_MOST_DIGITS = 5  # "250180" is two prices whose comma was forgotten
_MOST_WORDS = 1000
# Digits with commas between them, each comma either in a number or between two.
_RUN = r"\d++(?:,\d++)*+(?:\.\d{1,2}(?!\d))?"
# Nothing that was read once is tried in another way: what does not fit is told at once.
_ONE = rf"(?>(?:{_CURRENCY}\s?)?{_RUN}(?:\s?{_CURRENCY}(?!\s?\d))?)"
_LEAD = r"(?:(?:price|tickets?|admission|standard|from|starting|at|票價|門票|由)s?\s?[:：]?\s?)*+"
_ONLY_AMOUNTS = re.compile(
    rf"{_LEAD}{_ONE}(?:\s?(?:[,;&/|~–-]|\bto\b|\band\b|至|、)?\s?{_ONE})*+\s?(?:起|up|each)?",
    re.IGNORECASE,
)
_MONEY = re.compile(rf"(?:{_ANY_SIGN}|\$)\s*\$?\s*\d|\d\s*(?:元|{_ANY_SIGN})", re.IGNORECASE)


def read_price(text: str, currency: str | None = None) -> Price | None:
    """Turn the words into a price; None where there are none.

    `currency` is the one that is meant where none is named. What is more than numbers, footnote
    marks and remarks in brackets keeps its words alone.
    """
    words = " ".join(text.split())
    if not words:
        return None
    if len(words) > _MOST_WORDS:
        return Price(words)
    bare = " ".join(_ASIDE.sub(" ", words).translate(_FOOTNOTES).split())
    if _ONLY_AMOUNTS.fullmatch(bare):
        named = {_SIGNS[sign.upper()] for sign in re.findall(_ANY_SIGN, bare, re.IGNORECASE)}
        amounts = _amounts(bare) if len(named) <= 1 else None
        if amounts:
            one = named.pop() if named else currency
            return Price(words, tuple(amounts), one, is_free=not any(amounts))
    elif (free := _FREE.match(words)) and not _ON_CONDITION.search(words, free.end()):
        return Price(words, (), None, is_free=True)
    return Price(words)


def tells_a_price(text: str) -> bool:
    """Whether the words are about money, so that a line of a text can be told from the others."""
    return bool(_MONEY.search(text) or _FREE.match(text.strip()))


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
    run, _, cents = run.partition(".")
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
    if cents:
        numbers[-1] += float(f"0.{cents}")
    return numbers
