"""Which tests go `further` than the suite because of the kind of database that they are given."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave to `make further` what is marked to be further on this item's kind of database."""
    given = getattr(item, "callspec", None)
    for mark in item.iter_markers("further_on"):
        if given and mark.args[0] in given.params.values():
            item.add_marker(pytest.mark.further)
