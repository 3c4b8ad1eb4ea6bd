"""Names whose modules are imported when they are first wanted, and much imported at once."""

import gc

import pytest

from n8n_scraper import exports
from n8n_scraper.core.late import importing


def test_a_package_gives_each_name_that_it_offers() -> None:
    offered = {name: getattr(exports, name) for name in exports.__all__}

    assert all(one.__module__.startswith(exports.__name__) for one in offered.values())


def test_a_package_gives_no_name_that_it_does_not_offer() -> None:
    with pytest.raises(AttributeError, match=r"'n8n_scraper.exports' has no attribute 'read_all'"):
        _ = exports.read_all


def test_what_is_imported_is_out_of_the_collectors_sight() -> None:
    with importing():
        module = [{}]
        assert not gc.isenabled()

    assert gc.isenabled()
    assert not any(one is module for one in gc.get_objects())


def test_the_collector_works_again_when_an_import_has_failed() -> None:
    with pytest.raises(ModuleNotFoundError), importing():
        import nothing_of_this_name  # noqa: F401

    assert gc.isenabled()
