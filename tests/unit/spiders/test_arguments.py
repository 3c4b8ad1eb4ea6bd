"""What may be typed after `-a`."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.rules.chain import ChainMode
from n8n_scraper.spiders.arguments import CrawlArguments, CrawlMode


def test_nothing_given_means_everything_in_full() -> None:
    assert CrawlArguments.parse() == CrawlArguments((), None, None, ChainMode.FULL)


def test_arguments_are_read_as_they_are_typed() -> None:
    arguments = CrawlArguments.parse(ids=" 2462,1954, 2462 ", limit="500", chain="lean")

    assert arguments == CrawlArguments(("2462", "1954"), 500, None, ChainMode.LEAN)
    assert CrawlArguments.parse(category=" Lead Generation ").category == "Lead Generation"


@pytest.mark.parametrize(
    "wrong",
    [
        {"ids": "12,abc"},
        {"ids": ","},
        {"ids": "-3"},
        {"ids": "0"},
        {"ids": "9" * 30},
        {"limit": "0"},
        {"limit": "-1"},
        {"limit": "many"},
        {"limit": "1.5"},
        {"category": "  "},
        {"chain": "fast"},
        {"ids": "1", "category": "AI"},
        {"color": "red"},
        {"mode": "fast"},
        {"budget": "50"},
        {"budget": "50", "mode": "full"},
        {"budget": "4", "mode": "update"},
        {"budget": "-9", "mode": "update"},
        {"budget": "many", "mode": "update"},
        {"ids": "7", "mode": "update"},
        {"category": "AI", "mode": "update"},
    ],
)
def test_nonsense_is_refused_in_one_line_that_names_it(wrong: dict[str, str]) -> None:
    with pytest.raises(BadInput) as refused:
        CrawlArguments.parse(**wrong)

    assert "\n" not in str(refused.value)
    assert f"-a {next(iter(wrong))}" in str(refused.value)


def test_an_update_asks_for_as_little_as_possible_unless_it_is_told_otherwise() -> None:
    update = CrawlArguments.parse(mode="update", budget=" 50 ")

    assert (update.mode, update.budget, update.chain) == (CrawlMode.UPDATE, 50, ChainMode.LEAN)
    assert CrawlArguments.parse(mode="update", chain="full").chain is ChainMode.FULL
    assert CrawlArguments.parse(mode="full") == CrawlArguments.parse()


def test_only_a_crawl_that_nothing_narrows_wants_everything() -> None:
    assert CrawlArguments.parse(chain="lean").wants_everything
    assert CrawlArguments.parse(mode="update", budget="9").wants_everything
    for narrow in ({"ids": "7"}, {"limit": "9"}, {"category": "AI"}):
        assert not CrawlArguments.parse(**narrow).wants_everything
