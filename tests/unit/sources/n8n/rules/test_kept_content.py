"""Which older pictures and videos stay."""

from typing import Any

from n8n_scraper.sources.n8n.item import Image, Template
from n8n_scraper.sources.n8n.rules.kept_content import keep_what_is_shown
from tests.unit.making import template

NOTHING: dict[str, Any] = {"images": None, "videos": None, "other_video_links": None}
OLD = {"url": "https://n8n.example/old.png", "alt": "old", "places": ["note", "page"]}


def after(images: list[Any], *, workflow_came: bool) -> Template:
    """The item of a template whose workflow came, or was taken over from before."""
    item = template()
    as_it_came = item.model_copy()
    if not workflow_came:
        as_it_came.workflow = None
    keep_what_is_shown({**NOTHING, "images": images}, as_it_came, item)
    return item


def test_what_a_kept_text_shows_stays_and_names_only_places_that_were_kept() -> None:
    item = after([OLD], workflow_came=False)

    assert item.images == [Image(url=OLD["url"], alt="old", places=["note"])]
    assert item.sources["images"] == "content"


def test_what_a_new_text_does_not_show_any_more_is_gone() -> None:
    assert after([OLD], workflow_came=True).images == []


def test_what_both_show_is_one_with_the_places_of_both() -> None:
    item = template()
    item.images = [Image(url=OLD["url"], alt="new", places=["description"])]
    as_it_came = item.model_copy(update={"workflow": None})

    keep_what_is_shown({**NOTHING, "images": [OLD]}, as_it_came, item)

    assert item.images == [Image(url=OLD["url"], alt="new", places=["note", "description"])]


def test_places_keep_the_order_that_they_had() -> None:
    item = template()
    item.images = [Image(url=OLD["url"], alt="old", places=["page"])]
    as_it_came = item.model_copy(update={"workflow": None})

    keep_what_is_shown({**NOTHING, "images": [OLD]}, as_it_came, item)

    assert item.images == [Image(url=OLD["url"], alt="old", places=["note", "page"])]


def test_what_an_older_version_wrote_in_another_shape_is_left_out() -> None:
    assert after(["odd", {"odd": 1}, OLD], workflow_came=False).images == [
        Image(url=OLD["url"], alt="old", places=["note"])
    ]
