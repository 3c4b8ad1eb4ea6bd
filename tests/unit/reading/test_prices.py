"""What people write about prices in several currencies, and what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.prices import read_price, tells_a_price


@pytest.mark.parametrize(
    ("words", "amounts", "currency"),
    [
        ("From MOP488", (488,), "MOP"),
        ("MOP 380 - 1,280", (380, 1280), "MOP"),
        ("MOP380/ 580/ 780", (380, 580, 780), "MOP"),
        ("$1,280, 880, 680", (1280, 880, 680), "MOP"),
        ("HK$1,280 / HK$880", (1280, 880), "HKD"),
        ("Tickets from HKD 480 to HKD 1,680", (480, 1680), "HKD"),
        ("500 MOP", (500,), "MOP"),
        ("100元起", (100,), "MOP"),
        ("USD 1,000.50", (1000.5,), "USD"),
        ("13.00", (13,), "MOP"),
    ],
)
def test_amounts_have_the_currency_that_is_named_else_the_one_that_is_known(
    words: str, amounts: tuple[float, ...], currency: str
) -> None:
    price = read_price(words, "MOP")

    assert price is not None
    assert (price.text, price.amounts, price.currency) == (words, amounts, currency)
    assert price.is_free is False


def test_an_amount_of_no_known_currency_has_none() -> None:
    price = read_price("$35")

    assert price is not None
    assert (price.amounts, price.currency) == ((35,), None)


@pytest.mark.parametrize("words", ["Free", "Free admission", "Admission: free", "免費入場"])
def test_what_is_free_is_known_to_be(words: str) -> None:
    price = read_price(words, "MOP")

    assert price is not None
    assert (price.is_free, price.amounts) == (True, ())


@pytest.mark.parametrize(
    "words",
    ["Free for members", "Free with park admission", "Sold out", "MOP 100 / HK$97", "TBC"],
)
def test_whether_it_costs_is_unknown_where_the_words_do_not_say(words: str) -> None:
    price = read_price(words, "MOP")

    assert price is not None
    assert (price.is_free, price.amounts, price.currency) == (None, None, None)


def test_a_line_about_money_is_told_from_others() -> None:
    assert all(tells_a_price(words) for words in ("From MOP488", "100元", "Free admission"))
    assert not any(tells_a_price(words) for words in ("Cotai Arena", "27 September 2025"))


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error_and_kept(words: str) -> None:
    price = read_price(words)

    assert (price.text if price else "") == " ".join(words.split())
