"""What a person is told of a rereading."""

from dataclasses import replace

import pytest

from n8n_scraper.commands.reread_words import (
    advice_on,
    difference_lines,
    found_lines,
    how_far,
)
from n8n_scraper.records.rereading.blocks import Compared
from n8n_scraper.records.rereading.found import Found, Standing
from n8n_scraper.records.rereading.selection import Selection
from n8n_scraper.records.rereading.whole import Order
from n8n_scraper.sources.n8n.source import SOURCE

STORED = Order(SOURCE, Selection())
LOOKED = Order(SOURCE, Selection(), only_look=True)


def standing(*compared: Compared, done: int = 5, total: int = 5) -> Standing:
    found = Found()
    found.add(compared)
    return Standing("n8n", found, done, total)


def changed(number: int, *fields: str) -> Compared:
    return Compared(str(number), dict.fromkeys(fields, "new"), dict.fromkeys(fields, "old"))


def test_each_field_is_told_with_its_number_and_the_first_of_its_items() -> None:
    told = standing(*(changed(one, "title", *["views"] * (one == 2)) for one in range(1, 5)))
    told.found.add([Compared("9")])

    assert list(found_lines(told, STORED, 0.5)) == [
        "5 templates read anew (0 s, 10 a second): 4 changed, 1 as before.",
        "  title  4: 1, 2, 3, …",
        "  views  1: 2",
    ]
    assert "4 would change" in next(iter(found_lines(told, LOOKED, 0.5)))


def test_what_could_not_be_read_is_told_with_its_reason_the_first_of_many() -> None:
    lost = [Compared(str(one), unreadable="json: cut\x1b short") for one in range(22)]
    told = standing(*lost, Compared("99", error="KeyError('x')"))
    told = replace(told, not_stored=("404",))

    lines = list(found_lines(told, STORED, 1.0))

    assert lines[:4] == [
        "Not stored: 404",
        "23 templates read anew (1 s, 23 a second): 0 changed, 0 as before, "
        "23 could not be read, and stay.",
        "Could not be read, and stay as they are:",
        "  0  json: cut\\x1b short",
    ]
    assert lines[-3:] == [
        "  and 2 more: --json names all",
        "An error of our own:",
        "  99  KeyError('x')",
    ]


def test_how_far_it_is_fits_a_line() -> None:
    told = standing(*(Compared(str(one)) for one in range(50)), done=150, total=400)

    assert how_far(told, SOURCE.noun, 0.5) == (
        "150 of 400 templates read anew · 0 differ · 100 a second · 2.5 s left"
    )


def test_old_and_new_values_stand_below_each_other_and_no_longer_than_a_few_lines() -> None:
    compared = Compared("7", {"title": "x" * 500}, {"title": None, "run_id": "run"})

    assert list(difference_lines(compared)) == [
        "7  title",
        "  - null",
        f'  + "{"x" * 199}…',
    ]


@pytest.mark.parametrize(
    ("order", "done", "words"),
    [
        (STORED, 5, ""),
        (STORED, 3, "stopped after 3 of 5; the same command goes on."),
        (LOOKED, 3, "stopped after 3 of 5."),
        (LOOKED, 5, "nothing was stored; without --dry-run it is."),
    ],
)
def test_what_is_left_to_be_done_is_told_last(order: Order, done: int, words: str) -> None:
    assert advice_on(standing(changed(1, "title"), done=done), order) == words
