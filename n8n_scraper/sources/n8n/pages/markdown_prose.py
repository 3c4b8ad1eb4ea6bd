"""Read the lines of Markdown that hold nothing but words, bold words and code, as most do.

What the parser makes of them is certain at a glance, and is made here without it: the same tokens.
Whatever is less plain is left to the parser.
"""

from __future__ import annotations

import re
from typing import Literal

from markdown_it.token import Token

_NOTHING_ELSE = r"[^\n*_`\[\]!<&\\]"
# Words; a sign that begins nothing is one of them.
_WORDS = rf"(?:{_NOTHING_ELSE}|!(?!\[)|&(?=[ \n]|\Z))++"
# Bold without a doubt: blanks around it, or at its end a sign that can stand behind no other word.
_BOLD = (
    r"(?<![^ \n])\*\*(?P<bold>(?!\s)"
    rf"{_NOTHING_ELSE}+?)(?:(?<!\s)\*\*(?=[ \n]|\Z)|(?<=[A-Za-z0-9])\*\*(?=[.,:;)?]))"
)
_CODE = r"(?<!`)`(?P<code>[^` \n](?:[^`\n]*[^` \n])?)`(?!`)"
_END = r"(?<! )(?P<end>\n)[ \t]*+"
_PIECE = re.compile(rf"(?P<words>{_WORDS})|{_BOLD}|{_CODE}|{_END}")


def new_token(kind: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
    """Make a token as its class does, without asking for what is never given."""
    token = Token.__new__(Token)
    token.type = kind
    token.tag = tag
    token.nesting = nesting
    token.attrs = {}
    token.map = None
    token.level = 0
    token.children = None
    token.content = ""
    token.markup = ""
    token.info = ""
    token.meta = {}
    token.block = False
    token.hidden = False
    return token


def text_token(content: str, level: int = 0) -> Token:
    """Make the token of some words."""
    token = new_token("text", "", 0)
    token.content = content
    token.level = level
    return token


def read_prose(content: str) -> list[Token] | None:
    """Give the tokens of such lines, or None where anything else stands in them."""
    tokens: list[Token] = []
    position, words = 0, None
    while position < len(content):
        if not (piece := _PIECE.match(content, position)):
            return None
        position = piece.end()
        if piece.lastgroup == "words":
            words = f"{words or ''}{piece[0]}"
            continue
        is_bold = piece.lastgroup == "bold"
        # The parser leaves a place for words on either side of bold ones, even if it is empty.
        if words is not None or is_bold:
            tokens.append(text_token(words or ""))
        tokens += _made(piece)
        words = "" if is_bold else None
    if words is not None:
        tokens.append(text_token(words))
    return tokens


def _made(piece: re.Match[str]) -> list[Token]:
    if piece.lastgroup == "end":
        return [new_token("softbreak", "br", 0)]
    if piece.lastgroup == "code":
        code = new_token("code_inline", "code", 0)
        code.markup, code.content = "`", piece["code"]
        return [code]
    opening, closing = (
        new_token("strong_open", "strong", 1),
        new_token("strong_close", "strong", -1),
    )
    opening.markup = closing.markup = "**"
    return [opening, text_token(piece["bold"], level=1), closing]
