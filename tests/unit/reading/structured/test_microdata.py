"""Microdata by the standard's algorithm."""

from typing import Any

from n8n_scraper.reading.structured.document import tree_of
from n8n_scraper.reading.structured.microdata import microdata


def items(page: str) -> list[dict[str, Any]]:
    root = tree_of(page)
    assert root is not None
    return microdata(root)


def test_each_kind_of_element_says_its_value_in_its_own_way() -> None:
    [item] = items("""
        <div itemscope>
          <meta itemprop="a" content=" one "><a itemprop="b" href="/two">link</a>
          <img itemprop="c" src="three.png"><time itemprop="d" datetime="2025-09-27">Sat</time>
          <data itemprop="e" value="5">five</data><span itemprop="f">six\n  seven</span>
          <object itemprop="g" data="eight"></object><span itemprop="h" content="nine">9</span>
        </div>""")

    assert item["properties"] == {
        "a": "one",
        "b": "/two",
        "c": "three.png",
        "d": "2025-09-27",
        "e": "5",
        "f": "six seven",
        "g": "eight",
        "h": "nine",
    }


def test_properties_may_stand_elsewhere_on_the_page() -> None:
    [item] = items("""
        <div itemscope itemtype="http://schema.org/Event" itemref="when nowhere"></div>
        <p id="when"><span itemprop="startDate">2025-09-27</span></p>""")

    assert item == {
        "type": "http://schema.org/Event",
        "properties": {"startDate": "2025-09-27"},
    }


def test_a_thing_that_refers_to_itself_comes_to_an_end() -> None:
    [item] = items("""
        <div itemscope id="a" itemref="b"><i itemprop="name">A</i></div>
        <div id="b" itemprop="within" itemscope itemref="b"><i itemprop="name">B</i></div>""")

    assert item["properties"]["name"] == "A"
    assert item["properties"]["within"]["properties"]["name"] == "B"


def test_several_values_of_a_name_are_a_list_and_several_names_share_a_value() -> None:
    [item] = items('<p itemscope><b itemprop="a b">1</b><b itemprop="a">2</b></p>')

    assert item["properties"] == {"a": ["1", "2"], "b": "1"}
