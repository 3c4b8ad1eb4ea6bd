"""Draw a workflow as SVG that shows the same alone and in a page.

It holds no script, no style and no address, so that a page may embed it whatever a stranger wrote.
Colors are attributes, which a page's style sheet overrides by the classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

from lxml import etree

from n8n_scraper.sources.n8n.drawing.layout import Box, Layout, Line, Paper, Shape, lay_out
from n8n_scraper.sources.n8n.pages.canvas import Rectangle
from n8n_scraper.sources.n8n.pages.markdown import read_markdown

_NAMESPACE = "http://www.w3.org/2000/svg"
_FONT = "system-ui, sans-serif"
_INK, _FAINT, _PAPER = "#1f2430", "#6b7280", "#ffffff"
_WIRE, _SIDE_WIRE = "#8b93a7", "#a78bfa"
# The seven of n8n's editor, as pastels on which dark text can be read.
_NOTE_COLORS = ("#fff3bf", "#ffe0c2", "#ffd6d6", "#d3f2d9", "#d5e7fb", "#e7dcfb", "#e6e8ec")
_KINDS = ("#5b6ee1", "#0f8a6a", "#b4540a", "#a3348c", "#1a7fa8", "#6d5a00", "#b03a48", "#4a5568")
_OWN_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
# The sizes of letters, and how wide one is on average.
_NAME_SIZE, _NOTE_SIZE, _LETTER = 15, 14, 0.55
_NAME_WIDTH, _NAME_LINES = 150.0, 2
_LINE_HEIGHT, _INSET = 1.3, 12.0
# So much of a note is read at most; the largest that can be seen holds less.
_MOST_OF_A_NOTE = 4_000
# XML takes none of these.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# They would turn the direction of the words behind them, in other elements too.
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def draw(workflow: dict[str, Any], label: str) -> str:
    """Draw the nodes, the wires and the sticky notes of a workflow; the label is read aloud."""
    layout = lay_out(workflow)
    frame = layout.frame
    svg = etree.Element("svg", {"xmlns": _NAMESPACE})
    box = (frame.left, frame.top, frame.width, frame.height)
    _set(svg, {"viewBox": " ".join(map(_number, box)), "class": "workflow", "role": "img"})
    _set(svg, {"width": frame.width, "height": frame.height, "font-family": _FONT})
    _below(svg, "title", {}, label)
    for paper in layout.papers:
        _note(svg, paper)
    for line in layout.lines:
        _wire(svg, line)
    for one in layout.boxes:
        _node(svg, one)
    _say_what_is_left_out(svg, layout)
    return etree.tostring(svg, encoding="unicode")


def _note(svg: etree._Element, paper: Paper) -> None:
    fill, name = _note_color(paper.color)
    group = _below(svg, "g", {"class": f"note {name}"})
    _below(group, "rect", {**_sides(paper.place), "rx": 6, "fill": fill})
    wide = paper.place.width - 2 * _INSET
    lines = list(_wrapped(read_markdown(paper.text[:_MOST_OF_A_NOTE]).text, wide, _NOTE_SIZE))
    room = int((paper.place.height - 2 * _INSET) / (_NOTE_SIZE * _LINE_HEIGHT))
    left, top = paper.place.left + _INSET, paper.place.top + _INSET + _NOTE_SIZE
    look = {"font-size": _NOTE_SIZE, "fill": _ink_on(fill)}
    _lines(group, _cut(lines, room), left, top, look)


def _note_color(color: int | str | None) -> tuple[str, str]:
    if isinstance(color, str) and _OWN_COLOR.fullmatch(color):
        return color, "note-own"
    number = color if isinstance(color, int) and 1 <= color <= len(_NOTE_COLORS) else 1
    return _NOTE_COLORS[number - 1], f"note-{number}"


def _ink_on(fill: str) -> str:
    """Dark letters on a light color, light ones on a dark."""
    red, green, blue = (int(fill[at : at + 2], 16) for at in (1, 3, 5))
    return _INK if 299 * red + 587 * green + 114 * blue > 128_000 else _PAPER


def _wire(svg: etree._Element, line: Line) -> None:
    (x, y), (to_x, to_y) = line.source, line.target
    if line.is_main:
        # What leads back leaves and arrives in a wide bow, so that it can be followed.
        bend = max(abs(to_x - x) / 2, 60.0)
        controls = (x + bend, y, to_x - bend, to_y)
    else:
        bend = max(abs(to_y - y) / 2, 40.0)
        controls = (x, y - bend, to_x, to_y + bend)
    path = "M {} {} C {} {}, {} {}, {} {}".format(*map(_number, (x, y, *controls, to_x, to_y)))
    look: dict[str, object] = {"class": "wire", "stroke": _WIRE}
    if not line.is_main:
        look = {"class": "wire side", "stroke": _SIDE_WIRE, "stroke-dasharray": "6 5"}
    _below(svg, "path", {"d": path, "fill": "none", "stroke-width": 2, **look})


def _node(svg: etree._Element, box: Box) -> None:
    off = " disabled" if box.is_disabled else ""
    group = _below(svg, "g", {"class": f"node {box.shape}{off}"})
    if box.is_disabled:
        group.set("opacity", "0.5")
    _below(group, "title", {}, f"{box.name} ({box.type})" if box.type else box.name)
    kind = sum(box.type.encode("utf-8", "replace")) % len(_KINDS)
    edge = {"fill": _PAPER, "stroke": _KINDS[kind], "stroke-width": 2.5, "class": f"kind-{kind}"}
    if box.shape is Shape.NODE:
        _below(group, "rect", {**_sides(box.place), "rx": 12, **edge})
    elif box.shape is Shape.TRIGGER:
        _below(group, "path", {"d": _rounded_left(box.place), **edge})
    else:
        x, y = box.place.middle
        _below(group, "circle", {"cx": x, "cy": y, "r": box.place.width / 2, **edge})
    x, y = box.place.middle
    letters = {"text-anchor": "middle", "font-weight": 700, "class": "letters"}
    look = {**letters, "fill": _KINDS[kind], "font-size": 30}
    _lines(group, [_initials(box.type)], x, y + 11, look)
    names = _cut(list(_wrapped(box.name, _NAME_WIDTH, _NAME_SIZE)), _NAME_LINES)
    # The wires of sub-nodes run behind the name of the node that they serve.
    halo = {"stroke": _PAPER, "stroke-width": 4, "stroke-opacity": 0.8, "paint-order": "stroke"}
    below = {"text-anchor": "middle", "fill": _INK, "font-size": _NAME_SIZE, "class": "name"} | halo
    _lines(group, names, x, box.place.bottom + 1.4 * _NAME_SIZE, below)


def _rounded_left(place: Rectangle) -> str:
    """The outline of what starts a workflow: round where no wire comes in."""
    wide, small = place.height * 0.36, 12.0
    across, down = place.width - wide - small, place.height - 2 * wide
    return (
        f"M {_number(place.left + wide)} {_number(place.top)} h {_number(across)} "
        f"a {small} {small} 0 0 1 {small} {small} v {_number(place.height - 2 * small)} "
        f"a {small} {small} 0 0 1 {-small} {small} h {_number(-across)} "
        f"a {_number(wide)} {_number(wide)} 0 0 1 {_number(-wide)} {_number(-wide)} "
        f"v {_number(-down)} a {_number(wide)} {_number(wide)} 0 0 1 {_number(wide)} "
        f"{_number(-wide)} Z"
    )


def _initials(kind: str) -> str:
    """One or two letters for a type: `n8n-nodes-base.httpRequest` is HR."""
    last = kind.rsplit(".", 1)[-1]
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", last)
    return "".join(word[0] for word in words[:2]).upper() or "?"


def _say_what_is_left_out(svg: etree._Element, layout: Layout) -> None:
    if layout.left_out:
        x, y = layout.frame.left + _INSET, layout.frame.bottom - _INSET
        look = {"font-size": 2 * _NAME_SIZE, "fill": _FAINT, "class": "left-out"}
        _lines(svg, [f"{layout.left_out:,} more are not drawn."], x, y, look)


def _wrapped(words: str, wide: float, size: int) -> Iterator[str]:
    letters = max(int(wide / (size * _LETTER)), 1)
    for line in words.splitlines():
        yield from wrap(_writable(line), letters)


def _cut(lines: list[str], room: int) -> list[str]:
    """As many lines as there is room for, the last one showing that there are more."""
    if len(lines) <= room:
        return lines
    return [*lines[: room - 1], f"{lines[room - 1]}…"] if room > 0 else []


def _lines(
    parent: etree._Element, lines: Iterable[str], x: float, y: float, look: dict[str, Any]
) -> None:
    """Write lines below each other, the first one on the given height."""
    for number, line in enumerate(lines):
        down = y + number * look["font-size"] * _LINE_HEIGHT
        _below(parent, "text", {"x": x, "y": down, **look}, line)


def _sides(place: Rectangle) -> dict[str, float]:
    return {"x": place.left, "y": place.top, "width": place.width, "height": place.height}


def _below(
    parent: etree._Element, tag: str, look: dict[str, Any], words: str = ""
) -> etree._Element:
    element = etree.SubElement(parent, tag)
    _set(element, look)
    if words:
        element.text = _writable(words)
    return element


def _set(element: etree._Element, look: dict[str, Any]) -> None:
    for name, value in look.items():
        element.set(name, _number(value) if isinstance(value, float) else str(value))


def _number(value: float) -> str:
    """A coordinate in as few signs as its size needs."""
    return f"{value:.1f}".removesuffix(".0")


def _writable(words: str) -> str:
    return _TURNING.sub("", _UNWRITABLE.sub(" ", words))
