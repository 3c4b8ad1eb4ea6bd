"""Cut the words of a schedule into tokens: days, months, weekdays, times and signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from n8n_scraper.reading.schedule_tokens import ClockTime, Kind, PartialDate, Token, Unreadable

_Reader = Callable[[str, list[int]], "Token"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ZH = "一二三四五六日天"

# Words that stand in front of an hour in Chinese, with the half of the day that they mean.
_HALVES_ZH = {
    **dict.fromkeys(("上午", "早上", "清晨", "凌晨"), "am"),
    **dict.fromkeys(("中午", "正午", "下午", "傍晚", "晚上"), "pm"),
}
_HALF = r"(?:[ap]\.?m\.?|nn|noon|mn|midnight)(?![a-z])"
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAY = (
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nes(?:day)?)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:ur(?:day)?)?|sun(?:day)?"
)

_TOKEN = re.compile(
    rf"""
      (?P<time>\d{{1,2}}(?::\d{{2}}(?::\d{{2}}(?!\d))?\s*(?:{_HALF})?|\.\d{{2}}\s*{_HALF}|\s*{_HALF}))
    | (?P<time_zh>(?P<half_zh>{"|".join(_HALVES_ZH)})?\s*
        (?:\d{{1,2}}\s*[時时點点](?:\s*(?:\d{{1,2}}\s*分|(?P<half_past>半)))?
          |(?<=[午上晨晚])\s*\d{{1,2}}:\d{{2}}\s*分?)\s*(?:{_HALF})?)
    | (?P<named_time>\b(?:noon|midnight)\b|正午|午夜)
    | (?P<military>(?<!\d)[0-2]\d[0-5]\d(?=\s*-\s*\d{{4}}(?!\d))|(?<=\d-)[0-2]\d[0-5]\d(?!\d))
    | (?P<year_first>(?<!\d)20\d{{2}}(?P<mark>[-/.])\d{{1,2}}(?P=mark)\d{{1,2}}(?!\d)T?)
    | (?P<hyphened>\d{{1,2}}-(?:{_MONTH})-20\d{{2}}(?!\d))
    | (?P<date>\d{{1,2}}(?P<sign>[/.-])\d{{1,2}}(?P=sign)20\d{{2}}(?!\d))
    | (?P<rest>[/.]\s*\d{{1,2}}[/.]20\d{{2}}(?!\d))
    | (?P<short>\d{{1,2}}/\d{{1,2}}(?![\d/])(?!\s*(?:{_MONTH})(?![a-z])))
    | (?P<year>20\d{{2}}\s*年|(?<!\d)20\d{{2}}(?!\d))
    | (?P<month_zh>(?<!\d)\d{{1,2}}\s*月份?)
    | (?P<day>(?<!\d)\d{{1,2}}(?!\d)(?:(?:st|[nr]d|th)\b|\s*[日號号曰])?)
    | (?P<month>\b(?:{_MONTH})(?![a-z])\.?)
    | (?P<weekday>\b(?:{_WEEKDAY})s?(?![a-z])\.?)
    | (?P<daily>\b(?:daily|(?:every|each)\s*day)\b|每[日天])
    | (?P<weekday_zh>(?:星期|週|周|禮拜|礼拜)?[{_WEEKDAYS_ZH}])
    | (?P<every>\bevery\b|每?逢|每)
    | (?P<except>\bex(?:cep|pec)t(?:ing)?)
    | (?P<to>-(?!-)|[–—−‐‑~〜]|\b(?:to|till|until)\b|至|到)
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<separator>[,;&\n、|•·]|---|\band\b|[及和與]|(?<=[mn])/|/(?=[上下早晚])
        |(?<=\d)/(?=\d{{1,2}}\s*(?:{_MONTH})(?![a-z])))
    | (?P<footnote>[\s*^@]|\b(?:at|on|from|local\s+time)\b|\b(?:date|time)s?\s*:|[於由])
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Signs of full width mean what the narrow ones do.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_SWAPPED = ("date", "short")  # the tokens that may have the month in front
# "(16/2, 6/4除外)", or without brackets behind the times: ", 2024年9月17日, 10月1日除外".
_EXCEPT_ZH = re.compile(r"\(([^()]*)除外\s*\)|,\s*((?:20\d\d年)?\d{1,2}月[^():;\n逢]*?)除外")


def tokens(words: str, *, month_first: bool = False) -> Iterator[Token]:
    """Give the tokens, and END at the end; Unreadable at the first word that is none."""
    words = _EXCEPT_ZH.sub(r"(except \1\2)", words.translate(_NARROW))
    position = 0
    while position < len(words):
        match = _TOKEN.match(words, position)
        if match is None:
            raise Unreadable(words[position : position + 40].strip())
        position = match.end()
        if match.lastgroup not in ("footnote", "daily"):
            token = _token(match)
            yield _month_first(token) if month_first and match.lastgroup in _SWAPPED else token
    yield Token(Kind.END, "")


def _token(match: re.Match[str]) -> Token:
    text = match[0]
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if match["time_zh"]:
        return _time_zh(match, numbers)
    for group, read in _READERS.items():
        if match[group]:
            return read(text, numbers)
    raise AssertionError("every group has a reader")


def _month_first(token: Token) -> Token:
    """Read "12/13/2017" as it is written where the month stands in front."""
    one = token.value
    assert isinstance(one, PartialDate)
    return replace(token, value=PartialDate(one.month, one.day, one.year))


def _half(text: str) -> str:
    half = re.sub(r"[\d:.\s]", "", text).lower()
    return {"nn": "pm", "noon": "pm", "mn": "am", "midnight": "am"}.get(half, half)


def _time(text: str, numbers: list[int]) -> Token:
    minute = numbers[1] if len(numbers) > 1 else 0
    return Token(Kind.TIME, text, ClockTime(numbers[0], minute, _half(text)))


def _time_zh(match: re.Match[str], numbers: list[int]) -> Token:
    word = match["half_zh"] or ""
    half = _HALVES_ZH.get(word, "")
    if word == "晚上" and numbers[0] == 12:
        half = "am"
    minute = 30 if match["half_past"] else numbers[1] if len(numbers) > 1 else 0
    return Token(Kind.TIME, match[0], ClockTime(numbers[0], minute, half, holds_on=bool(half)))


def _named_time(text: str, numbers: list[int]) -> Token:
    half = "am" if text.lower() in ("midnight", "午夜") else "pm"
    return Token(Kind.TIME, text, ClockTime(12, 0, half))


def _military(text: str, numbers: list[int]) -> Token:
    return Token(Kind.TIME, text, ClockTime(*divmod(numbers[0], 100)))


def _rest(text: str, numbers: list[int]) -> Token:
    return Token(Kind.REST_OF_DATE, text, PartialDate(None, *numbers))


def _day(text: str, numbers: list[int]) -> Token:
    return Token(Kind.DAY, text, PartialDate(*numbers))


def _year_first(text: str, numbers: list[int]) -> Token:
    return Token(Kind.DAY, text, PartialDate(*reversed(numbers)))


def _hyphened(text: str, numbers: list[int]) -> Token:
    day, month, year = text.split("-")
    number = _MONTHS.index(month[:3].lower()) + 1
    return Token(Kind.DAY, text, PartialDate(int(day), number, int(year)))


def _year(text: str, numbers: list[int]) -> Token:
    return Token(Kind.YEAR, text, numbers[0])


def _month(text: str, numbers: list[int]) -> Token:
    return Token(Kind.MONTH, text, _MONTHS.index(text[:3].lower()) + 1)


def _month_zh(text: str, numbers: list[int]) -> Token:
    if not 1 <= numbers[0] <= 12:
        raise Unreadable(text)
    return Token(Kind.MONTH, text, numbers[0])


def _weekday(text: str, numbers: list[int]) -> Token:
    return Token(Kind.WEEKDAY, text, _WEEKDAYS.index(text[:3].lower()))


def _weekday_zh(text: str, numbers: list[int]) -> Token:
    return Token(Kind.WEEKDAY, text, min(_WEEKDAYS_ZH.index(text[-1]), 6))


def _sign(kind: Kind) -> _Reader:
    return lambda text, _: Token(kind, text)


_READERS: dict[str, _Reader] = {
    "time": _time,
    "named_time": _named_time,
    "military": _military,
    "year_first": _year_first,
    "hyphened": _hyphened,
    "date": _day,
    "rest": _rest,
    "short": _day,
    "year": _year,
    "month_zh": _month_zh,
    "day": _day,
    "month": _month,
    "weekday": _weekday,
    "weekday_zh": _weekday_zh,
    "every": _sign(Kind.EVERY),
    "except": _sign(Kind.EXCEPT),
    "to": _sign(Kind.TO),
    "open": _sign(Kind.OPEN),
    "close": _sign(Kind.CLOSE),
    "separator": _sign(Kind.SEPARATOR),
}
