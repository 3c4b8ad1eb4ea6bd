"""Build the structured explanation of a template from its Markdown and its page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from n8n_scraper.sources.n8n.item import Explainer, Section
from n8n_scraper.sources.n8n.pages.comparison import Comparison, are_same_words, compare
from n8n_scraper.sources.n8n.pages.headings import (
    CUSTOMISATION,
    HOW,
    INTRODUCTION,
    REQUIREMENTS,
    SETUP,
    WHAT,
    is_numbered,
)
from n8n_scraper.sources.n8n.pages.markdown import (
    MarkdownText,
    read_markdown,
    render,
    shown_words,
    with_below,
)
from n8n_scraper.sources.n8n.pages.readable import readable_html

_PARAGRAPHS = re.compile(r"\n{2,}")


@dataclass(frozen=True, slots=True)
class Explained:
    """An explanation, and whether Markdown and page agree.

    None where only one of them is there, or both are too long to be compared.
    """

    explainer: Explainer
    comparison: Comparison | None


def explain(
    markdown: str | None, page_text: str | None, page_markdown: str | None = None
) -> Explained | None:
    """Join what the API's Markdown and the rendered page say; None when neither says anything.

    The Markdown leads: the page's own structure counts only where there is no Markdown.
    """
    if markdown is None and page_text is None:
        return None
    parts = read_markdown((page_markdown or "") if markdown is None else markdown)
    comparison = None
    if markdown is not None and page_text is not None:
        comparison = _comparison(markdown, page_text)
    return Explained(_explainer(markdown, page_text, parts, comparison), comparison)


def _comparison(markdown: str, page_text: str) -> Comparison | None:
    """Compare in words; the Markdown is written as HTML only where its words are not enough."""
    words = shown_words(markdown)
    if words is not None and are_same_words(words, page_text):
        return Comparison(differences=[], shared=1.0)
    return compare(readable_html(render(markdown)), page_text)


def _explainer(
    markdown: str | None,
    page_text: str | None,
    parts: MarkdownText,
    comparison: Comparison | None,
) -> Explainer:
    sections = parts.sections
    return Explainer(
        markdown=markdown,
        text=parts.text if markdown is not None else page_text or "",
        page_text=page_text,
        sections=sections,
        introduction=_introduction(parts),
        how_it_works=_under(sections, HOW) or _under(sections, WHAT),
        setup=_under(sections, SETUP),
        requirements=_under(sections, REQUIREMENTS),
        customisation=_under(sections, CUSTOMISATION),
        steps=parts.steps,
        code_blocks=parts.code_blocks,
        tables=parts.tables,
        links=parts.links,
        differences=comparison.differences if comparison else [],
    )


def _introduction(parts: MarkdownText) -> str | None:
    """What stands before the first heading, else below the title, else what says that it is it."""
    sections = parts.sections
    before = sections[0] if sections and sections[0].heading is None else None
    headed = sections[1:] if before else sections
    places = [before] if before else []
    if headed and _is_title(headed[0], headed[1:]):
        places.append(headed[0])
    found = (_without_pictures(section.text, parts) for section in places)
    return next(filter(None, found), None) or _under(sections, INTRODUCTION) or _opening(headed)


def _opening(headed: list[Section]) -> str | None:
    """The text below the first heading, unless that is the heading of some other part."""
    heading = headed[0].heading or "" if headed else ""
    is_other = any(part.search(heading) for part in (HOW, SETUP, REQUIREMENTS, CUSTOMISATION))
    return None if not headed or is_other or is_numbered(heading) else headed[0].text or None


def _is_title(section: Section, below: list[Section]) -> bool:
    """Whether everything else stands below this heading."""
    is_above = all(one.level > section.level for one in below)
    return bool(below) and is_above


def _without_pictures(text: str, parts: MarkdownText) -> str | None:
    """A text without the lines that only stand in for a picture."""
    alts = {picture.alt for picture in parts.pictures}
    kept = (one for one in _PARAGRAPHS.split(text) if one.strip() not in alts)
    return "\n\n".join(kept).strip() or None


def _under(sections: list[Section], meaning: re.Pattern[str]) -> str | None:
    """The text below the first heading of that meaning that has any, sub-sections included."""
    texts = (
        with_below(sections, index)
        for index, section in enumerate(sections)
        if section.heading and meaning.search(section.heading)
    )
    return next(filter(None, texts), None)
