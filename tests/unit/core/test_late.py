"""Names whose modules are imported when they are first wanted, and much imported at once."""

import gc
from types import ModuleType

import pytest

from n8n_scraper import exports
from n8n_scraper.core.late import importing
from n8n_scraper.sources.n8n import pages


@pytest.mark.parametrize("package", [exports, pages])
def test_a_package_gives_each_name_that_it_offers(package: ModuleType) -> None:
    offered = {name: getattr(package, name) for name in package.__all__}

    assert all(one.__module__.startswith(package.__name__) for one in offered.values())


def test_a_package_gives_no_name_that_it_does_not_offer() -> None:
    with pytest.raises(
        AttributeError, match=r"'n8n_scraper.sources.n8n.pages' has no attribute 'read_all'"
    ):
        _ = pages.read_all


def test_what_is_imported_is_out_of_the_collectors_sight() -> None:
    try:
        with importing():
            module = [{}]
            assert not gc.isenabled()

        assert gc.isenabled()
        assert not any(one is module for one in gc.get_objects())
    finally:
        gc.unfreeze()


def test_the_collector_works_again_when_an_import_has_failed() -> None:
    try:
        with pytest.raises(ModuleNotFoundError), importing():
            import nothing_of_this_name  # noqa: F401

        assert gc.isenabled()
    finally:
        gc.unfreeze()
