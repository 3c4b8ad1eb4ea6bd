"""Read structure out of a template's Markdown: sections, steps, code, tables, links, pictures."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it.token import Token

from n8n_scraper.sources.n8n.item import CodeBlock, Link, Section, Table
from n8n_scraper.sources.n8n.pages.headings import Line, is_heading, is_numbered, is_step, is_usual
from n8n_scraper.sources.n8n.pages.markdown_parser import parse
from n8n_scraper.sources.n8n.pages.markdown_parser import render as render_tokens

# A page shows the video itself in place of this, which would else read like a link.
_EMBEDDED = re.compile(r"@\[\w{1,20}\]\([^()\n]{0,100}\)")
_TAG = re.compile(r"<[^<>]*>")
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,200}>(.{0,300}?)</h\1\s{0,5}>", re.I | re.S)
_IMAGE = re.compile(r"<img\b[^<>]{1,4000}>", re.I)
_ANCHOR = re.compile(r"<a\b[^<>]{1,2000}>", re.I)
_ATTRIBUTE = (
    r"""\b{}\s{{0,5}}=\s{{0,5}}(?:"([^"]{{0,2000}})"|'([^']{{0,2000}})'|([^\s"'<>]{{1,2000}}))"""
)
_SRC, _ALT, _HREF = (re.compile(_ATTRIBUTE.format(name), re.I) for name in ("src", "alt", "href"))
_BLANK_LINES = re.compile(r"\n{3,}")
_UNDERLINED = re.compile(r"\+\+(.*?)\+\+")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in the text: its address as written, and the words that stand in for it."""

    address: str
    alt: str | None


@dataclass(frozen=True, slots=True)
class MarkdownText:
    """What a Markdown text holds besides its words."""

    text: str
    sections: list[Section]
    steps: list[str]
    code_blocks: list[CodeBlock]
    tables: list[Table]
    links: list[Link]
    pictures: list[Picture]


@dataclass(frozen=True, slots=True)
class _Block:
    """A piece of the text in its order; a level makes it a heading, 0 a heading of no rank."""

    text: str
    level: int | None = None
    in_paragraph: bool = False


def read_markdown(source: str) -> MarkdownText:
    """Take a Markdown text apart."""
    tokens = _tokens(source)
    blocks = list(_blocks(tokens))
    sections = list(_sections(blocks))
    return MarkdownText(
        text=_joined(part for section in sections for part in (section.heading, section.text)),
        sections=sections,
        steps=_steps(tokens, sections, blocks),
        code_blocks=list(_code_blocks(tokens)),
        tables=list(_tables(tokens)),
        links=[link for token in tokens if token.children for link in _links(token)],
        pictures=_all_pictures(tokens),
    )


def pictures_in(source: str) -> list[Picture]:
    """The pictures of a Markdown text alone."""
    has_any = "![" in source or "<img" in source.lower()
    return _all_pictures(_tokens(source)) if has_any else []


def _all_pictures(tokens: list[Token]) -> list[Picture]:
    return [picture for token in tokens if token.content for picture in _pictures(token)]


def render(source: str) -> str:
    """The Markdown as HTML, the way a page shows it."""
    return render_tokens(_tokens(source))


def shown_words(source: str) -> str | None:
    """The words that a page shows of the Markdown; None where it holds HTML of its own."""
    lines: list[str] = []
    for token in _tokens(source):
        if token.type in ("fence", "code_block"):
            lines.append(token.content)
        elif token.type == "html_block":
            return None
        for child in token.children or ():
            if child.type == "html_inline":
                return None
        lines.append("".join(map(_shown, token.children or ())))
    return "\n".join(lines)


def _shown(child: Token) -> str:
    return "" if child.type == "image" else _word(child)


@lru_cache(maxsize=4)
def _tokens(source: str) -> list[Token]:
    """Parse a text; kept, because reader, comparison and search for pictures parse the same one."""
    return parse(_EMBEDDED.sub("", source))


def with_below(sections: list[Section], index: int) -> str:
    """The text of a section, with its sub-sections."""
    parts: list[str | None] = [sections[index].text]
    for place in range(index + 1, len(sections)):
        below = sections[place]
        if below.level <= sections[index].level:
            break
        parts += [below.heading, below.text]
    return _joined(parts)


def _blocks(tokens: list[Token]) -> Iterator[_Block]:
    """The pieces of the text, with the lines that are headings told apart from the others."""
    for index, token in enumerate(tokens):
        if token.type == "html_block":
            yield from _html_blocks(token.content)
        elif token.type in ("fence", "code_block"):
            yield _Block(token.content.strip("\n"))
        elif token.type == "inline":
            opening = tokens[index - 1]
            if opening.type == "heading_open":
                yield _Block(plain(token), int(opening.tag[1]))
            elif opening.type == "paragraph_open" and opening.level == 0:
                yield from _paragraph(token, _first_words(tokens, index + 2))
            else:
                yield _Block(plain(token))


def _html_blocks(source: str) -> Iterator[_Block]:
    position = 0
    for found in _HTML_HEADING.finditer(source):
        yield _Block(_words_of_html(source[position : found.start()]))
        yield _Block(_words_of_html(found[2]), int(found[1]))
        position = found.end()
    yield _Block(_words_of_html(source[position:]))


def _words_of_html(source: str) -> str:
    return html.unescape(_TAG.sub("", source)).strip()


def _paragraph(inline: Token, next_words: str | None) -> Iterator[_Block]:
    """A paragraph of the text itself: its lines, some of which stand above the next as a title."""
    lines, waiting = list(_lines(inline)), list[str]()
    for index, line in enumerate(lines):
        following = lines[index + 1].text if index + 1 < len(lines) else next_words
        if is_heading(line, following):
            yield _Block("\n".join(waiting).strip(), in_paragraph=True)
            yield _Block(_UNDERLINED.sub(r"\1", line.text), 0)
            waiting = []
        else:
            waiting.append(line.text)
    yield _Block("\n".join(waiting).strip(), in_paragraph=True)


def _first_words(tokens: list[Token], index: int) -> str | None:
    """What the next block begins with; None where a heading, a rule or nothing follows."""
    for position in range(index, len(tokens)):
        token = tokens[position]
        if token.type in ("heading_open", "hr"):
            return None
        if token.type == "inline" or token.content:
            return token.content.lstrip("*_ ") or None
    return None


def _lines(inline: Token) -> Iterator[Line]:
    line, strong = _OpenLine(), 0
    for child in inline.children or []:
        word = _word(child)
        if word == "\n":
            yield line.closed()
            line = _OpenLine()
            continue
        strong += child.nesting * (child.type in ("strong_open", "strong_close"))
        line.add(word, in_bold=strong > 0)
        line.linked |= child.type in ("link_open", "image")
    yield line.closed()


class _OpenLine:
    """A line that is being read."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.bold = self.loose = self.linked = False

    def add(self, word: str, *, in_bold: bool) -> None:
        """Read some more of it; signs alone are neither bold nor not."""
        self.words.append(word)
        if any(map(str.isalnum, word)):
            self.bold |= in_bold
            self.loose |= not in_bold

    def closed(self) -> Line:
        """The line as a whole."""
        return Line("".join(self.words).strip(), self.bold and not self.loose, self.linked)


def _sections(blocks: list[_Block]) -> Iterator[Section]:
    heading, level, parts, ranks = None, 0, list[str](), _Ranks()
    for block in blocks:
        if block.level is None:
            parts += filter(None, [block.text])
            continue
        if heading is not None or parts:
            yield Section(heading=heading, level=level, text=_joined(parts))
        heading, level, parts = block.text, ranks.of(block, bool(parts)), []
    if heading is not None or parts:
        yield Section(heading=heading, level=level, text=_joined(parts))


class _Ranks:
    """Gives headings without a mark a rank: below the last marked one, and one below another.

    A usual title with no text of its own, such as "How it works", holds the lines that follow it.
    """

    def __init__(self) -> None:
        self._marked = 1
        self._usual = self._deeper = False

    def of(self, block: _Block, has_text: bool) -> int:
        """The rank of the next heading; it is told whether the one before has a text."""
        usual = is_usual(block.text)
        self._deeper = not block.level and not usual and (
            self._deeper or (self._usual and not has_text)
        )  # fmt: skip
        self._marked = block.level or self._marked
        self._usual = usual and not block.level
        return block.level or min(self._marked + 1 + self._deeper, 6)


def plain(token: Token) -> str:
    """The words of a line without its marks; pictures give their alt text."""
    return "".join(map(_word, token.children or [])).strip()


def _word(child: Token) -> str:
    if child.type in ("text", "code_inline"):
        return child.content
    if child.type == "image":
        return plain(child)
    is_break = child.type in ("softbreak", "hardbreak") or child.content.lower().startswith("<br")
    return "\n" if is_break else ""


def _steps(tokens: list[Token], sections: list[Section], blocks: list[_Block]) -> list[str]:
    """What is to be done one after the other, by the plainest way in which the text tells it."""
    headings = [section.heading or "" for section in sections]
    named = [index for index, heading in enumerate(headings) if is_step(heading)]
    if len(named) > 1:
        return [_joined([headings[index], with_below(sections, index)]) for index in named]
    if points := list(_points(tokens)):
        return points
    numbered = [index for index, heading in enumerate(headings) if is_numbered(heading)]
    if len(numbered) > 1:
        return [_joined([headings[index], with_below(sections, index)]) for index in numbered]
    lines = [block.text for block in blocks if block.in_paragraph and is_numbered(block.text)]
    return lines if len(lines) > 1 else []


def _points(tokens: list[Token]) -> Iterator[str]:
    """The points of the numbered lists, each with all that stands in it."""
    depth, parts = 0, list[str]()
    for token in tokens:
        if token.type == "list_item_open" and _is_numbered_item(token):
            depth += 1
            if depth == 1:
                parts = []
        elif token.type == "list_item_close" and _is_numbered_item(token):
            depth -= 1
            if depth == 0:
                yield _joined(parts)
        elif depth:
            parts += filter(None, [_block_text(token)])


def _block_text(token: Token) -> str:
    if token.type == "inline":
        return plain(token)
    if token.type in ("fence", "code_block"):
        return token.content.strip("\n")
    return _words_of_html(token.content) if token.type == "html_block" else ""


def _is_numbered_item(item: Token) -> bool:
    return item.markup in (".", ")")  # what follows the number; bullets have a sign of their own


def _code_blocks(tokens: list[Token]) -> Iterator[CodeBlock]:
    for token in tokens:
        if token.type in ("fence", "code_block"):
            yield CodeBlock(language=token.info.strip() or None, code=token.content)


def _tables(tokens: list[Token]) -> Iterator[Table]:
    rows: list[list[str]] = []
    for index, token in enumerate(tokens):
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(plain(tokens[index + 1]))
        elif token.type == "table_close":
            yield Table(header=rows[0], rows=rows[1:])


def _links(token: Token) -> Iterator[Link]:
    url, words = None, list[str]()
    for child in token.children or []:
        if url is None and child.type == "text":
            continue
        if child.type == "link_open":
            url, words = str(child.attrs.get("href", "")), []
        elif child.type == "html_inline" and (opening := _ANCHOR.match(child.content)):
            url, words = _attribute(_HREF, opening[0]), []
        elif child.type == "link_close" or child.content.lower() == "</a>":
            if url:
                yield Link(text="".join(words), url=url)
            url = None
        elif url is not None:
            words.append(_word(child))


def _pictures(token: Token) -> Iterator[Picture]:
    if token.type in ("html_block", "html_inline"):
        for image in _IMAGE.findall(token.content):
            if address := _attribute(_SRC, image):
                yield Picture(address, _attribute(_ALT, image))
    for child in token.children or []:
        if child.type == "image":
            yield Picture(str(child.attrs.get("src", "")), plain(child) or None)
        elif child.children or child.type == "html_inline":
            yield from _pictures(child)


def _attribute(attribute: re.Pattern[str], tag: str) -> str | None:
    found = attribute.search(tag)
    value = html.unescape(next(filter(None, found.groups()), "")) if found else ""
    return value.strip() or None


def _joined(parts: Iterator[str | None] | list[str] | list[str | None]) -> str:
    return _BLANK_LINES.sub("\n\n", "\n\n".join(part for part in parts if part)).strip()
