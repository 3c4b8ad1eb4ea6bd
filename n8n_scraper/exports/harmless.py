"""Show what strangers have written in Markdown, and let none of it run."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~$]|:(?=//))")
# What has no sign of its own, or turns the reading direction of all that follows.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAG = re.compile(r"<[A-Za-z/!?]")
_RUNNING_LINK = re.compile(r"(script|data|file)\\?:|&#|&\w+;", re.IGNORECASE)
_IGNORED = re.compile(r"[\x00-\x20]")
_LINK = re.compile(r"\]\s*[(:\[]|<[A-Za-z][A-Za-z0-9+.\-]+:")
_GOOD_SCHEMES = ("", "http", "https", "mailto")
_BREAK = re.compile(r"\r\n|\r|\n")
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
    line = " ".join(_UNSEEN.sub(" ", text).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", line)


def block(text: str) -> str:
    """Give Markdown without tags and without links that run; as plain source where need be."""
    if not _may_harm(text):
        return text
    tokens = _READER.parse(text)
    if _has_tags(tokens):
        text = _without_tags(text, tokens)
        tokens = _READER.parse(text)
    if _has_tags(tokens):  # at a place whose line is not known
        text = _TAG.sub(lambda tag: f"&lt;{tag[0][1:]}", text)
        tokens = _READER.parse(text)
    return _source(text) if _has_tags(tokens) or _has_bad_links(tokens) else text


def _may_harm(text: str) -> bool:
    has_bad_link = _LINK.search(text) and _RUNNING_LINK.search(_IGNORED.sub("", text))
    return bool(_TAG.search(text) or has_bad_link)


def _has_tags(tokens: list[Token]) -> bool:
    return any(_is_tag(token) for token in tokens)


def _is_tag(token: Token) -> bool:
    return token.type in ("html_block", "html_inline") or any(map(_is_tag, token.children or ()))


def _without_tags(text: str, tokens: list[Token]) -> str:
    """Write the tags of those lines in which one is as the signs they are made of."""
    lines = _BREAK.split(text)
    for token in tokens:
        if token.map and _is_tag(token):
            for number in range(*token.map):
                lines[number] = lines[number].replace("<", "&lt;")
    return "\n".join(lines)


def _has_bad_links(tokens: list[Token]) -> bool:
    return any(_is_bad_link(token) for token in tokens)


def _is_bad_link(token: Token) -> bool:
    target = str(token.attrs.get("href") or token.attrs.get("src") or "")
    return not _is_good(target) or any(map(_is_bad_link, token.children or ()))


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
