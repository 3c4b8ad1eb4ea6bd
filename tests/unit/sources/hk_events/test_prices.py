"""What people write about prices, and what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.hk_events.prices import read_price


@pytest.mark.parametrize(
    ("words", "amounts"),
    [
        ("$80", [80]),
        ("30", [30]),
        ("$1,280, 880, 680", [1280, 880, 680]),
        ("$1,000,$500,$300", [1000, 500, 300]),
        ("$1280, 980, 780", [1280, 980, 780]),
        ("$180,100", [180, 100]),
        ("$130,100, 80", [130, 100, 80]),
        ("$75-110", [75, 110]),
        ("\xa0$200, 150 ", [200, 150]),
        ("$500, $400, $180*", [500, 400, 180]),
        ("$360;$280", [360, 280]),
        ("*$1,200 (VIP tickets 貴賓票) $760, $560;  ^$1,000 (VIP (limited)) $680",
         [1200, 760, 560, 1000, 680]),
    ],
)  # fmt: skip
def test_lists_of_prices_are_read_as_numbers(words: str, amounts: list[float]) -> None:
    price = read_price(words)

    assert price is not None
    assert (price.amounts, price.currency, price.is_free) == (amounts, "HKD", False)


@pytest.mark.parametrize("words", ["Free Activities", "Free admission by tickets", "free", "0"])
def test_what_is_free_is_known_to_be(words: str) -> None:
    price = read_price(words)

    assert price is not None
    assert price.is_free is True


@pytest.mark.parametrize(
    "words",
    [
        "Admission by enrollment",
        "$100/ one lesson (3hrs)",
        "250180",
        "$80,100",
        "Please contact the presenter ($20)",
        "27-28/03: $1080;$900",
    ],
)
def test_what_could_be_read_in_two_ways_keeps_its_words_alone(words: str) -> None:
    price = read_price(words)

    assert price is not None
    assert (price.text, price.amounts, price.is_free) == (words, None, None)


def test_no_words_are_no_price() -> None:
    assert read_price(" \n") is None


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error_and_kept(words: str) -> None:
    price = read_price(words)

    assert (price.text if price else "") == " ".join(words.split())


@given(st.lists(st.integers(1, 9999), min_size=1, max_size=6, unique=True))
def test_prices_from_the_dearest_down_come_back_as_they_are(prices: list[int]) -> None:
    given_ = sorted(prices, reverse=True)

    price = read_price(", ".join(f"${one:,}" for one in given_))

    assert price is not None
    assert price.amounts == given_
