"""Know a heading that is not marked as one: a bold line, "Step 1:", an emoji line, a usual title.

A quarter of the recorded descriptions has no Markdown heading at all, and half of those are divided
by such lines. What a heading means is told here as well, for the parts of an explanation.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_LONGEST = 100
_LONGEST_PLAIN = 60
_ENDS_A_SENTENCE = (".", "!", ",", ";")
_STEP = re.compile(r"\W*step\s{0,3}\d{1,3}\b", re.I)
_KEYCAP = re.compile(r"\d{1,2}\ufe0f?\u20e3")
_NUMBER = re.compile(r"\W{0,5}?\d{1,2}(?:[.):]|\ufe0f?\u20e3)\s{0,3}\S")
# Lines that are titles even without any mark; nothing may stand before or behind them.
_USUAL = re.compile(
    r"""
    [\W_]{0,5}(?:
      how\ (?:it|this|this\ workflow|the\ workflow|does\ it)\ works?(?:\ /\ what\ it\ does)?
    | (?:how\ to\ )?set[- ]?up(?:\ (?:steps|instructions|guide|requirements))?
    | how\ to\ (?:set\ (?:it\ )?up|use(?:\ it)?|get\ started)
    | how\ to\ customi[sz]e(?:\ (?:it|the\ workflow))?
    | (?:key\ )?(?:requirements|features|benefits|advantages)
    | pre-?requisites?(?:\ .{1,20})?
    | who(?:['’]s|\ is)\ (?:it|this(?:\ \w{1,12})?)\ for
    | what\ (?:it|this\ (?:workflow|template))\ does | what\ does\ (?:it|this\ \w{1,12})\ do
    | what\ (?:you\ )?need(?:ed)?
    | (?:core|workflow)\ (?:process|steps|overview|logic)(?:\ \(.{1,40}\))?
    | step[- ]by[- ]step(?:\ guide)? | getting\ started | quick\ start
    | installation | configuration
    | credentials(?:\ (?:needed|required))? | overview | description | introduction | use\ cases?
    | customi[sz]ation(?:\ options)? | notes? | instructions | troubleshooting | conclusion
    )[\W_]{0,5}
    """,
    re.I | re.X,
)

HOW = re.compile(r"\bhow (?:(?:it|this|the|your|our|does it) ?(?:\w+ )?(?:works?|operates)\b)"
                 r"|\bhow it(?:['’]s| is) (?:built|done)\b", re.I)  # fmt: skip
WHAT = re.compile(
    r"\bwhat (?:it|this|the) ?(?:\w+ )?(?:does|do)\b|\bwhat does (?:it|this)\b"
    r"|\bstep[- ]by[- ]step\b"
    r"|\bworkflow (?:steps|logic|overview|breakdown|flow|details?|structure)\b"
    r"|\b(?:process|data|integration) flow\b|\bcore process\b|\bnode[- ]by[- ]node\b",
    re.I,
)
SETUP = re.compile(
    r"\bset[- ]?up\b|\bsetting (?:it )?up\b|\bconfigur|\bget(?:ting)? started\b|\bquick start\b"
    r"|\binstall|\bdeploy(?:ment|ing)?\b",
    re.I,
)
REQUIREMENTS = re.compile(
    r"\brequire[sd]?\b|\brequirements?\b|\bpre-?requisites?\b|\bpre-?(?:conditions?|requirements?)\b"
    r"|\bwhat (?:do )?(?:i|you)(?:['’]ll| will)? need\b|\byou(?:['’]ll| will)? need\b"
    r"|\bneeded\b|\bcredentials\b|\bdependenc(?:y|ies)\b",
    re.I,
)
CUSTOMISATION = re.compile(
    r"\bcustomi[sz]|\bpersonali[sz]|\bextend(?:ing)?\b|\btailor|\btweak|\badapt(?:ing|ation)?s?\b"
    r"|\bmodif(?:y|ying|ication)|\badjust|\bmake it your own\b|\bexpanding\b|\bextensions?\b",
    re.I,
)
INTRODUCTION = re.compile(
    r"\b(?:introduction|overview|description|about|summary|purpose|context|background|goal)\b"
    r"|\bwhat is\b|\buse[- ]?cases?\b|\bproblem\b|^\W*(?:why|what|task)\W*$|\bwhat (?:it|this)\b"
    r"|\bwhat (?:\w+ ){1,2}(?:does|do)\b|\bwho\b.{1,20}\bfor\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a paragraph: its words, and how they are set."""

    text: str
    bold: bool = False
    linked: bool = False


def is_heading(line: Line, following: str | None) -> bool:
    """Whether a line stands above what follows it, as its title."""
    words = line.text
    if not following or line.linked or not _has_letters(words) or len(words) > _LONGEST:
        return False
    if words.endswith(_ENDS_A_SENTENCE):
        return False
    if line.bold or is_step(words):
        return True
    if len(words) > _LONGEST_PLAIN:
        return False
    return is_usual(words) or (_starts_with_sign(words) and not _starts_with_sign(following))


def is_usual(words: str) -> bool:
    """Whether a line is one of the titles that authors write above a part."""
    return _USUAL.fullmatch(words) is not None


def is_step(heading: str) -> bool:
    """Whether a heading calls itself a step."""
    return _STEP.match(heading) is not None


def is_numbered(heading: str) -> bool:
    """Whether a heading or a paragraph begins with its number."""
    return _NUMBER.match(heading) is not None


def _has_letters(words: str) -> bool:
    return any(map(str.isalpha, words))


def _starts_with_sign(words: str) -> bool:
    """Whether a line begins with an emoji, or with a number drawn as one."""
    first = words[:1]
    is_sign = bool(first) and first not in "©®" and unicodedata.category(first) == "So"
    return is_sign or _KEYCAP.match(words) is not None
