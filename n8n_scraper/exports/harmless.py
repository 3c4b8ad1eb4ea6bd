"""Show what strangers have written in Markdown, and let none of it run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~$]|:(?=//))")
# Words in which no sign means anything, one space between them: most names are nothing else.
_PLAIN = re.compile(r"[A-Za-z0-9.,;!?'\"()/@%+=-]+(?: [A-Za-z0-9.,;!?'\"()/@%+=-]+)*+")
# What has no sign of its own, or turns the reading direction of all that follows.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Browsers pass over these within an address, and readers differ in where one ends an address.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TAG = re.compile(r"<[A-Za-z/!?]")
_TAG_WITH_MORE = re.compile(r"<[A-Za-z/!?][^<>\s]*\s")
_IGNORED = re.compile(r"[\x00-\x20]")
# An address that is more than the usual: to be looked at as the reader of Markdown reads it.
_UNUSUAL_LINK = re.compile(
    r"(?:\][ \t\n>]*[(:\[]|<)[\s<]*(?!https?:|mailto:|fileid:)[^\s()<>]*?[:&%\\]", re.IGNORECASE
)
# What less strict readers may take for one: over the end of a line, of a list or of a quotation.
_LINE = re.compile(r"\n[\s>*+-]*(?:\d+[.)])?")
_LINK_SIGNS = ("]", "<")
_RUNNING_LINK = re.compile(r"(?:\][(:]|<)<?\w*(?:script|data|file):", re.IGNORECASE)
# The last names a picture that is attached to an item, and leads nowhere.
_GOOD_SCHEMES = ("", "http", "https", "mailto", "fileid")
_FENCE = re.compile(r"`{3,}")


class _EveryLink(MarkdownIt):
    """Reads a link whatever it points to, so that a bad one is seen."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        """Take every link."""
        return True


_READER = _EveryLink("commonmark").enable("table")


def inline(text: str) -> str:
    """Give a text as a piece of one line of Markdown that shows it as it is.

    Signs that mean something only at the start of a line are left: it goes behind something.
    """
    if _PLAIN.fullmatch(text):
        return text
    line = " ".join(_UNSEEN.sub(" ", text).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", line)


def block(text: str) -> str:
    """Give Markdown without tags and without links that run; as plain source where need be."""
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    looks_odd = _may_hold_a_link(text) and (_TAG.search(text) or _UNUSUAL_LINK.search(text))
    if not (looks_odd or _may_run(text)):
        return text
    read = _Read(text)
    if read.has_tags:
        read = _Read(_without_tags(text, read.tokens))
    if read.has_tags:  # at a place whose line is not known
        read = _Read(_TAG.sub(lambda tag: f"&lt;{tag[0][1:]}", read.text))
    return read.text if read.is_harmless else _source(read.text)


class _Read:
    """A text as the reader of Markdown reads it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._defined: dict[str, Any] = {}
        self.tokens = _READER.parse(text, self._defined)
        self.has_tags = any(map(_is_tag, self.tokens))

    @property
    def is_harmless(self) -> bool:
        """Whether it has no tag, and no link that leads where none may lead."""
        defined = (str(one["href"]) for one in self._defined.get("references", {}).values())
        targets = [*defined, *_targets(self.tokens)]
        # `<…>` around an address with spaces is a tag to readers who know no such addresses.
        has_spaces = any(_IGNORED.search(unquote(one)) for one in targets)
        hides_tags = has_spaces and _TAG_WITH_MORE.search(self.text) is not None
        is_bad = self.has_tags or hides_tags or _may_run(self.text)
        return not is_bad and all(map(_is_good, targets))


def _may_hold_a_link(text: str) -> bool:
    """A look that costs nothing: every link, and every tag, has one of two signs."""
    return any(sign in text for sign in _LINK_SIGNS)


def _may_run(text: str) -> bool:
    """Whether a reader that is less strict than ours might find a link that runs."""
    written = unescape(unquote(text))
    if not _may_hold_a_link(written):
        return False
    joined = _IGNORED.sub("", _LINE.sub("", written.replace("\\", "")))
    return _RUNNING_LINK.search(joined) is not None


def _is_tag(token: Token) -> bool:
    return token.type in ("html_block", "html_inline") or any(map(_is_tag, token.children or ()))


def _without_tags(text: str, tokens: list[Token]) -> str:
    """Write the tags of those lines in which one is as the signs they are made of."""
    lines = text.split("\n")
    for token in tokens:
        if token.map and _is_tag(token):
            for number in range(*token.map):
                lines[number] = lines[number].replace("<", "&lt;")
    return "\n".join(lines)


def _targets(tokens: Iterable[Token]) -> Iterator[str]:
    """Give all that a text links to, or shows."""
    for token in tokens:
        yield str(token.attrs.get("href") or token.attrs.get("src") or "")
        yield from _targets(token.children or ())


def _is_good(target: str) -> bool:
    try:
        return urlsplit(_IGNORED.sub("", unquote(target))).scheme.lower() in _GOOD_SCHEMES
    except ValueError:
        return False


def _source(text: str) -> str:
    """Show the Markdown itself, in a fence that nothing inside it can close."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}markdown\n{text}\n{fence}"
