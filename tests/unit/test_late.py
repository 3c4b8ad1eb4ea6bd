"""Names whose modules are imported when they are first wanted."""

from types import ModuleType

import pytest

from n8n_scraper import exports, pages


@pytest.mark.parametrize("package", [exports, pages])
def test_a_package_gives_each_name_that_it_offers(package: ModuleType) -> None:
    offered = {name: getattr(package, name) for name in package.__all__}

    assert all(one.__module__.startswith(package.__name__) for one in offered.values())


def test_a_package_gives_no_name_that_it_does_not_offer() -> None:
    with pytest.raises(AttributeError, match=r"'n8n_scraper.pages' has no attribute 'read_all'"):
        _ = pages.read_all
