"""The fields of an item that follow from others."""

from n8n_scraper.core.computing import compute, compute_again, switched_off
from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Computed


class Square(Item):
    """An item with a side, and what follows from it."""

    side: int
    area: int | None = None
    double: int | None = None
    unobserved: dict[str, str] = {"area": "not measured", "double": "not doubled"}  # noqa: RUF012
    sources: dict[str, str] = {}  # noqa: RUF012


def measure(square: Square) -> None:
    square.observe("area", square.side**2, "computed")


def double(square: Square) -> None:
    if square.area is None:
        square.leave_out("double", "there is no area")
    else:
        square.observe("double", 2 * square.area, "computed")


TABLE = (
    Computed(
        "area",
        measure,
        of=("side",),
        not_yet="not measured",
        switched_off="MEASURE is off",
        is_wanted=lambda settings: settings["MEASURE"] == "on",
    ),
    Computed("double", double, of=("area",), not_yet="not doubled"),
)


def test_a_later_field_follows_from_an_earlier_one() -> None:
    item = Square(side=3)

    compute(TABLE, item)

    assert (item.area, item.double, item.unobserved) == (9, 18, {})


def test_what_the_settings_do_not_want_says_so_and_the_rest_follows() -> None:
    item = Square(side=3)
    off = switched_off(TABLE, {"MEASURE": "off"})

    compute(TABLE, item, off=off)

    assert off == {"area"}
    assert switched_off(TABLE, {"MEASURE": "on"}) == frozenset()
    assert item.unobserved == {"area": "MEASURE is off", "double": "there is no area"}


def test_what_is_there_is_not_computed_a_second_time() -> None:
    item = Square(side=3)
    item.observe("area", 10, "somebody else")

    compute(TABLE, item)

    assert (item.area, item.double) == (10, 20)


def test_what_has_changed_since_is_computed_again() -> None:
    item = Square(side=3)
    compute(TABLE, item)
    as_it_came = item.model_copy()

    item.side = 4
    compute_again(TABLE, item, as_it_came)

    assert (item.area, item.double) == (16, 32)


def test_what_nobody_has_computed_or_wanted_stays_so() -> None:
    new, unwanted = Square(side=3), Square(side=3)
    compute(TABLE, unwanted, off={"area"})
    older = unwanted.model_copy()
    older.observe("area", 1, "an older record")

    compute_again(TABLE, new, new.model_copy())
    compute_again(TABLE, older, unwanted)

    assert (new.area, new.double) == (None, None)
    assert (older.area, older.double) == (1, 2)
