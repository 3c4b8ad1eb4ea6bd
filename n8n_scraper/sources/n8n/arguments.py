"""What a person may ask of a crawl of templates besides what every crawl takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.rules.chain import ChainMode
from n8n_scraper.spiders.arguments import CrawlArguments, CrawlMode


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateArguments(CrawlArguments):
    """The arguments of a crawl of templates: `category` and `chain` besides the others."""

    NARROWING: ClassVar[tuple[str, ...]] = ("ids", "category")

    category: str | None = None
    chain: ChainMode = ChainMode.FULL

    @classmethod
    def further(cls, given: Mapping[str, str], mode: CrawlMode) -> dict[str, Any]:
        """Read them; an update asks for as little as possible unless it is told otherwise."""
        otherwise = ChainMode.LEAN if mode is CrawlMode.UPDATE else ChainMode.FULL
        return {
            "category": _category(given.get("category")),
            "chain": _chain(given.get("chain"), otherwise),
        }


def _category(text: str | None) -> str | None:
    if text is None:
        return None
    if not text.strip():
        raise BadInput("-a category= needs a name, as in -a category='Lead Generation'.")
    return text.strip()


def _chain(text: str | None, otherwise: ChainMode) -> ChainMode:
    if text is None:
        return otherwise
    try:
        return ChainMode(text)
    except ValueError:
        raise BadInput(f"-a chain={text}: write chain=full or chain=lean.") from None
