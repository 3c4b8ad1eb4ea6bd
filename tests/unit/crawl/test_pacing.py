"""The settings of the pace."""

import pytest
from scrapy import Request
from scrapy.settings import Settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.pacing import Paces, read_floor, read_limits


def settings(**values: object) -> Settings:
    breaker = {"CIRCUIT_BREAKER_FAILURES": "10", "CIRCUIT_BREAKER_HOLD": "60"}
    return Settings(
        {
            **breaker,
            "RATE_LIMIT_RATE": "2.0",
            "RATE_LIMIT_BURST": "5",
            "RATE_LIMITS": "{}",
            **values,
        }
    )


def test_a_domain_has_its_own_limits_or_the_default_ones() -> None:
    paces = Paces.from_settings(settings(RATE_LIMITS='{"n8n.io": {"rate": 4.0, "burst": 2}}'))

    assert paces.of(Request("https://api.n8n.io/x")).bucket.limits.rate == 4.0
    assert paces.of(Request("https://n8n.io/y")) is paces.of(Request("https://api.n8n.io/x"))
    assert paces.of(Request("https://other.example/")).bucket.limits.rate == 2.0
    assert [pace.domain for pace in paces.all()] == ["n8n.io", "other.example"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"RATE_LIMIT_RATE": "-1"},
        {"RATE_LIMIT_RATE": "quick"},
        {"RATE_LIMIT_RATE": "nan"},
        {"RATE_LIMIT_BURST": "0"},
        {"RATE_LIMITS": "{"},
        {"RATE_LIMITS": '{"n8n.io": 3}'},
        {"RATE_LIMITS": "[1]"},
    ],
)
def test_a_limit_that_makes_no_sense_is_named_in_one_line(wrong: dict[str, str]) -> None:
    with pytest.raises(BadInput, match="RATE_LIMIT") as refused:
        read_limits(settings(**wrong))

    assert "\n" not in str(refused.value)


def test_a_word_in_place_of_a_number_is_told_with_what_to_write() -> None:
    with pytest.raises(BadInput) as refused:
        Paces.from_settings(settings(RATE_LIMIT_RATE="fast"))

    assert str(refused.value) == "RATE_LIMIT_RATE is 'fast'; write a number, as in 2.0."


@pytest.mark.parametrize("wrong", ["-1", "slow", "nan", "inf"])
def test_a_floor_that_makes_no_sense_is_named_in_one_line(wrong: str) -> None:
    with pytest.raises(BadInput, match="RATE_LIMIT_FLOOR"):
        read_floor(settings(RATE_LIMIT_FLOOR=wrong))
