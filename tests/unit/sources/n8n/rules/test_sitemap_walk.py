"""An inventory is walked to its end, and never without end."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.rules.sitemap_walk import SitemapWalk, WalkBounds

BOUNDS = WalkBounds()


def walked(names: dict[str, list[str]], bounds: WalkBounds = BOUNDS) -> tuple[list[str], str]:
    """Read an inventory, from the sitemap `a` on, as a spider would."""
    walk, asked = SitemapWalk(bounds), []
    url: str | None = "a"
    while url is not None:
        walk.reading(url)
        asked.append(url)
        walk.found(names.get(url, []), templates=1)
        url = walk.following()
    return asked, walk.cut_short or "whole"


def test_sitemaps_are_read_in_the_order_in_which_they_are_named() -> None:
    names = {"a": ["b", "c"], "b": ["d"]}

    assert walked(names) == (["a", "b", "c", "d"], "whole")


def test_an_index_that_names_itself_is_read_once() -> None:
    assert walked({"a": ["a", "b", "a"], "b": ["a"]}) == (["a", "b"], "whole")


def test_more_sitemaps_than_the_bound_are_not_read() -> None:
    many = [f"child-{number}" for number in range(1_000)]

    asked, said = walked({"a": many}, WalkBounds(sitemaps=20))

    assert (asked, said) == (["a"], "names more than 20 sitemaps")


def test_an_index_of_indexes_ends_at_the_bound() -> None:
    chain = {"a": ["b"], "b": ["c"], "c": ["d"], "d": ["e"]}

    asked, said = walked(chain, WalkBounds(levels=3))

    assert (asked, said) == (["a", "b", "c"], "nests its sitemaps more than 3 levels deep")


def test_more_templates_than_the_bound_end_the_walk() -> None:
    many = [f"child-{number}" for number in range(50)]

    asked, said = walked({"a": many}, WalkBounds(templates=10))

    assert len(asked) == 11
    assert said == "lists more than 10 templates"


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefgh"))))
def test_whatever_names_whatever_each_is_read_once_at_most(names: dict[str, list[str]]) -> None:
    asked, _ = walked(names)

    assert len(asked) == len(set(asked))
