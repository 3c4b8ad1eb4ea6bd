"""What may be typed after `-a`, whatever the source."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.hk_events.source import SOURCE
from n8n_scraper.spiders.arguments import CrawlArguments, CrawlMode


def parsed(**given: str) -> CrawlArguments:
    return CrawlArguments.parse(SOURCE, given)


def test_nothing_given_means_everything_in_full() -> None:
    assert parsed() == CrawlArguments(ids=(), limit=None, mode=CrawlMode.FULL, budget=None)


def test_arguments_are_read_as_they_are_typed() -> None:
    arguments = parsed(ids=" 2462,1954, 2462 ", limit="500")

    assert arguments == CrawlArguments(ids=("2462", "1954"), limit=500)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ids": "12,abc"},
        {"ids": ","},
        {"ids": "-3"},
        {"ids": "9" * 30},
        {"limit": "0"},
        {"limit": "-1"},
        {"limit": "many"},
        {"limit": "1.5"},
        {"color": "red"},
        {"category": "AI"},
        {"mode": "fast"},
        {"budget": "50"},
        {"budget": "50", "mode": "full"},
        {"budget": "4", "mode": "update"},
        {"budget": "-9", "mode": "update"},
        {"budget": "many", "mode": "update"},
        {"ids": "7", "mode": "update"},
    ],
)
def test_nonsense_is_refused_in_one_line_that_names_it(wrong: dict[str, str]) -> None:
    with pytest.raises(BadInput) as refused:
        parsed(**wrong)

    assert "\n" not in str(refused.value)
    assert f"-a {next(iter(wrong))}" in str(refused.value)


def test_a_refusal_speaks_of_what_the_source_has() -> None:
    with pytest.raises(BadInput, match=r"x is no id of events. Write numbers with commas"):
        parsed(ids="7,x")
    with pytest.raises(BadInput, match="how many events at most"):
        parsed(limit="x")
    with pytest.raises(BadInput, match="it takes ids, limit, mode, budget and run"):
        parsed(chain="lean")


def test_an_update_may_have_a_budget() -> None:
    update = parsed(mode="update", budget=" 50 ")

    assert (update.mode, update.budget) == (CrawlMode.UPDATE, 50)
    assert parsed(mode="full") == parsed()


def test_only_a_crawl_that_nothing_narrows_wants_everything() -> None:
    assert parsed(mode="update", budget="9").wants_everything
    for narrow in ({"ids": "7"}, {"limit": "9"}):
        assert not parsed(**narrow).wants_everything
