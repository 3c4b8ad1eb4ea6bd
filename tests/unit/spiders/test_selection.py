"""Choosing from the inventory."""

from n8n_scraper.core.dossier import Planned
from n8n_scraper.records.history import Stored
from n8n_scraper.spiders.selection import Selection, in_order_of_need

LISTED = [
    Planned("1", listing={"slug": "one"}),
    Planned("2", listing={"slug": "two"}),
    Planned("3", listing={"slug": "three"}),
]


def test_without_a_wish_everything_is_taken_in_the_order_of_the_inventory() -> None:
    assert Selection().pick(LISTED) == LISTED


def test_only_the_ids_asked_for_are_taken_and_the_rest_of_them_is_unlisted() -> None:
    selection = Selection(["3", "99"])

    assert selection.pick(LISTED) == [Planned("3", listing={"slug": "three"})]
    assert selection.unlisted() == [Planned("99", listed=False)]


def test_the_limit_holds_over_all_parts_of_the_inventory() -> None:
    selection = Selection(limit=2)

    assert [len(selection.pick([one])) for one in LISTED] == [1, 1, 0]
    assert selection.is_full


def test_what_narrows_the_choice_may_say_more_of_it_than_the_inventory() -> None:
    selection = Selection()

    new = selection.narrow_to([Planned("2", listing={"price": 20.0}), Planned("50")])

    assert new == 2
    assert selection.pick(LISTED) == [Planned("2", listing={"slug": "two", "price": 20.0})]
    assert selection.unlisted() == [Planned("50", listed=False)]


def test_a_choice_without_a_hit_chooses_nothing() -> None:
    selection = Selection()

    selection.narrow_to([])

    assert selection.pick(LISTED) == []


def test_an_update_begins_with_what_is_new_and_ends_with_what_was_seen_last() -> None:
    stored = {
        "1": Stored({"slug": "one"}, "2026-11-03", removed=False),
        "2": Stored({"slug": "two"}, "2026-11-01", removed=False),
        "3": Stored({"slug": "was-three"}, "2026-11-04", removed=False),
        "4": Stored({"slug": "four"}, "2026-11-02", removed=True),
        "5": Stored({"slug": None}, "2026-11-02", removed=False),
        "9": Stored({"slug": "nine"}, "2026-10-01", removed=False),
    }
    slugs = ("one", "two", "three", "four", "five", "six", "seven")
    listed = [
        Planned(str(number), listing={"slug": slug}) for number, slug in enumerate(slugs, start=1)
    ]

    order = in_order_of_need([*listed, listed[0]], stored)

    # New; back or renamed; then by age, and each once
    assert [planned.item_id for planned in order] == ["6", "7", "4", "3", "2", "5", "1"]
