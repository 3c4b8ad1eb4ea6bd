"""Parse Markdown, and ask at each line and each sign only the rules that can begin there.

The parser's own rules say at their first look whether they begin at a sign; most lines are prose
and begin with none of them, and asking all costs as much as parsing. What is parsed is the same.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from n8n_scraper.sources.n8n.pages.markdown_prose import new_token, read_prose, text_token

# It reports every rule that it tries on every line; making those records costs a fifth of a crawl.
logging.getLogger("markdown_it").setLevel(logging.INFO)

# The signs that a line begins with for a rule to apply; rules that are not here ask more.
_LINES: Mapping[str, str] = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*-+0123456789",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
_INLINE: Mapping[str, str] = {
    "newline": "\n",
    "escape": "\\",
    "backticks": "`",
    "emphasis": "*_",
    "link": "[",
    "image": "!",
    "autolink": "<",
    "html_inline": "<",
    "entity": "&",
}
# Nothing begins with the last one, but what stands in brackets ends there.
_SIGNS = "".join(_INLINE.values()) + "]"
_STOPS = re.compile(f"[{re.escape(_SIGNS)}]")


_CHAINS = ("", "paragraph", "reference", "blockquote", "list")


# The line below a title of two lines, wherever it stands.
_UNDERLINE = re.compile(r"^[ \t>]*(?:-+|=+)[ \t]*$", re.MULTILINE)


def parse(source: str) -> list[Token]:
    """The tokens of a text in CommonMark with HTML and tables."""
    return _parser_for(source).parse(source)


def render(tokens: list[Token]) -> str:
    """The tokens of a text as HTML."""
    made = _parser()
    return str(made.renderer.render(tokens, made.options, {}))


def _parser_for(source: str) -> MarkdownIt:
    """The parser without the rules that look for what the whole text has nowhere."""
    absent = []
    if "|" not in source:
        absent.append("table")
    if not _UNDERLINE.search(source):
        absent.append("lheading")
    return _parser(*absent)


@lru_cache
def _parser(*absent: str) -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": True}).enable("table").disable(list(absent))
    blocks, made.block = made.block, _Blocks()
    made.block.ruler = _ByFirstSign(blocks.ruler)
    inline = made.inline.ruler
    named = dict(zip(inline.get_active_rules(), inline.getRules(), strict=True))
    made.inline.ruler = Ruler()
    made.inline.ruler.push("by sign", _at_sign(named))
    made.inline.terminator_re = _STOPS
    made.core.ruler.at("inline", _read_lines)
    return made


class _ByFirstSign(Ruler[RuleFuncBlockType]):
    """Gives for each chain of rules one rule, which asks those that can begin at a line."""

    def __init__(self, rules: Ruler[RuleFuncBlockType]) -> None:
        super().__init__()
        self._names = rules.get_active_rules()
        names = dict(zip(rules.getRules(), self._names, strict=True))
        self._chains = {
            chain: [_at_line({names[rule]: rule for rule in rules.getRules(chain)})]
            for chain in _CHAINS
        }

    def get_active_rules(self) -> list[str]:
        """The names of the rules behind those that are given."""
        return self._names

    def getRules(self, chainName: str = "") -> list[RuleFuncBlockType]:  # noqa: N802, N803
        """The one rule of a chain; the parser calls it so."""
        return self._chains[chainName]


def _at_line(rules: Mapping[str, RuleFuncBlockType]) -> RuleFuncBlockType:
    anywhere = tuple(rule for name, rule in rules.items() if name not in _LINES)
    by_sign = {
        sign: tuple(rule for name, rule in rules.items() if sign in _LINES.get(name, sign))
        for sign in "".join(_LINES.values())
    }

    def begins(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        place = state.bMarks[start] + state.tShift[start]
        for rule in by_sign.get(state.src[place : place + 1], anywhere):
            if rule(state, start, end, silent):
                return True
        return False

    return begins


def _at_sign(rules: Mapping[str, RuleFuncInlineType]) -> RuleFuncInlineType:
    prose = (rules["text"],)
    by_sign = {
        sign: tuple(rule for name, rule in rules.items() if sign in _INLINE.get(name, ""))
        for sign in _SIGNS
    }

    def begins(state: StateInline, silent: bool) -> bool:
        for rule in by_sign.get(state.src[state.pos], prose):  # noqa: SIM110  (it is faster so)
            if rule(state, silent):
                return True
        return False

    return begins


def _read_lines(state: StateCore) -> None:
    """Parse what stands in the blocks; words without a sign are what they are."""
    for token in state.tokens:
        if token.type == "inline":
            token.children = _children(token.content, state)


def _children(content: str, state: StateCore) -> list[Token]:
    if content and not _STOPS.search(content):
        return [text_token(content)]
    prose = read_prose(content)
    return state.md.inline.parse(content, state.md, state.env, []) if prose is None else prose


class _Blocks(ParserBlock):
    def parse(
        self,
        src: str,
        md: MarkdownIt,
        env: EnvType,
        outTokens: list[Token],  # noqa: N803
    ) -> list[Token] | None:
        """Find the blocks of a text; the tokens are the same, and made sooner."""
        if not src:
            return None
        state = _State(src, md, env, outTokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens


class _State(StateBlock):
    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Add a token, as its original does."""
        token = new_token(ttype, tag, nesting)
        token.block = True
        if nesting < 0:
            self.level -= 1
        token.level = self.level
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        return token
