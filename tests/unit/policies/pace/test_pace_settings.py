"""The settings of the pace, as the components read them."""

from __future__ import annotations

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.pace_settings import CircuitSettings, PaceSettings
from n8n_scraper.policies.pace.token_bucket import BucketLimits


def test_a_domain_has_its_own_limits_or_the_general_ones() -> None:
    given = {"RATE_LIMIT_RATE": "2.0", "RATE_LIMITS": '{"n8n.io": {"rate": 4, "burst": 2}}'}

    pace = PaceSettings.from_settings(given)

    assert pace.limits_of("n8n.io") == BucketLimits(4, 2)
    assert pace.limits_of("other.example") == BucketLimits(2.0, 5)


def test_limits_of_a_domain_may_be_given_as_they_are() -> None:
    pace = PaceSettings.from_settings({"RATE_LIMITS": {"n8n.io": {"rate": 4, "burst": 2}}})

    assert pace.limits_of("n8n.io").rate == 4


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("RATE_LIMIT_RATE", "-1"),
        ("RATE_LIMIT_RATE", "quick"),
        ("RATE_LIMIT_RATE", "nan"),
        ("RATE_LIMIT_BURST", "0"),
        ("RATE_LIMIT_BURST", "2.5"),
        ("RATE_LIMITS", "{"),
        ("RATE_LIMITS", '{"n8n.io": 3}'),
        ("RATE_LIMITS", "[1]"),
        ("RATE_LIMIT_FLOOR", "-1"),
        ("RATE_LIMIT_FLOOR", "slow"),
        ("RATE_LIMIT_FLOOR", "nan"),
        ("RATE_LIMIT_FLOOR", "inf"),
        ("RETRY_AFTER_CAP", "inf"),
    ],
)
def test_a_limit_that_makes_no_sense_is_named_in_one_line(name: str, wrong: str) -> None:
    with pytest.raises(BadInput, match=name) as refused:
        PaceSettings.from_settings({name: wrong})

    assert "\n" not in str(refused.value)


def test_a_word_in_place_of_a_number_is_told_with_what_to_write() -> None:
    with pytest.raises(BadInput) as refused:
        PaceSettings.from_settings({"RATE_LIMIT_RATE": "fast"})

    assert str(refused.value) == (
        "RATE_LIMIT_RATE is 'fast'; write a number of requests per second, as in 2.0."
    )


def test_a_hold_is_never_longer_than_its_cap() -> None:
    circuit = CircuitSettings.from_settings(
        {"CIRCUIT_BREAKER_FAILURES": "3", "CIRCUIT_BREAKER_HOLD": "90"}
        | {"CIRCUIT_BREAKER_HOLD_CAP": "60", "CIRCUIT_BREAKER_WAIT_LIMIT": "600"}
    )

    assert circuit.limits == CircuitLimits(failures=3, hold_seconds=90, hold_cap_seconds=90)
    assert circuit.wait_limit_seconds == 600


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("CIRCUIT_BREAKER_FAILURES", "0"),
        ("CIRCUIT_BREAKER_HOLD", "0"),
        ("CIRCUIT_BREAKER_HOLD", "long"),
        ("CIRCUIT_BREAKER_HOLD_CAP", "-1"),
        ("CIRCUIT_BREAKER_WAIT_LIMIT", "for ever"),
    ],
)
def test_a_circuit_that_makes_no_sense_is_named_in_one_line(name: str, wrong: str) -> None:
    with pytest.raises(BadInput, match=f"{name} is '{wrong}'; write a"):
        CircuitSettings.from_settings({name: wrong})
