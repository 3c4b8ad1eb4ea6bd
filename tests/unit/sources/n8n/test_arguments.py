"""What may be typed after `-a` of a crawl of templates."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.arguments import TemplateArguments
from n8n_scraper.sources.n8n.rules.chain import ChainMode
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.spiders.arguments import CrawlMode


def parsed(**given: str) -> TemplateArguments:
    return TemplateArguments.parse(SOURCE, given)


def test_nothing_given_means_everything_in_full() -> None:
    assert parsed() == TemplateArguments(ids=(), limit=None, category=None, chain=ChainMode.FULL)


def test_arguments_are_read_as_they_are_typed() -> None:
    assert parsed(limit="500", chain="lean") == TemplateArguments(limit=500, chain=ChainMode.LEAN)
    assert parsed(category=" Lead Generation ").category == "Lead Generation"


@pytest.mark.parametrize(
    "wrong",
    [
        {"ids": "0"},
        {"category": "  "},
        {"chain": "fast"},
        {"ids": "1", "category": "AI"},
        {"color": "red"},
        {"category": "AI", "mode": "update"},
    ],
)
def test_nonsense_is_refused_in_one_line_that_names_it(wrong: dict[str, str]) -> None:
    with pytest.raises(BadInput) as refused:
        parsed(**wrong)

    assert "\n" not in str(refused.value)
    assert f"-a {next(iter(wrong))}" in str(refused.value)


def test_an_update_asks_for_as_little_as_possible_unless_it_is_told_otherwise() -> None:
    update = parsed(mode="update")

    assert (update.mode, update.chain) == (CrawlMode.UPDATE, ChainMode.LEAN)
    assert parsed(mode="update", chain="full").chain is ChainMode.FULL


def test_only_a_crawl_that_nothing_narrows_wants_everything() -> None:
    assert parsed(chain="lean").wants_everything
    assert not parsed(category="AI").wants_everything
