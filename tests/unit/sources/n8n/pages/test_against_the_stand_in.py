"""Everything that we read in the stand-in's answers equals what it says is true."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.item import Outcome
from n8n_scraper.sources.n8n.item import Template, broken_promises
from n8n_scraper.sources.n8n.pages import (
    read_metadata,
    read_page,
    read_search,
    read_sitemap,
    read_workflow_json,
)
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.sitemap import Entry
from n8n_scraper.sources.n8n.replica.answers import encode
from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.oddities import ODDITIES, index_of_oddity
from n8n_scraper.sources.n8n.replica.pages import template_page
from n8n_scraper.sources.n8n.replica.sitemaps import Sitemaps
from n8n_scraper.sources.n8n.replica.templates import Truth
from tests.unit.sources.n8n.pages.given import assembled, dossier_of

DOCS = Path(__file__).parents[5] / "docs"
SITE = "https://n8n.io"
CATALOGUE = Catalogue(templates=200)
ORDINARY = 20


def named(truth: Truth) -> str:
    return f"{truth.id}-{truth.oddity}" if truth.oddity else str(truth.id)


def truths() -> Iterator[Any]:
    """Give what is said of each template; of the ordinary ones the suite takes the first few."""
    ordinary = 0
    for truth in map(CATALOGUE.truth, CATALOGUE.ids):
        ordinary += not truth.oddity
        is_one_more = not truth.oddity and ordinary > ORDINARY
        yield pytest.param(truth, id=named(truth), marks=[pytest.mark.further] * is_one_more)


@pytest.fixture(scope="module", params=truths())
def truth(request: pytest.FixtureRequest) -> Truth:
    """What the stand-in says of each template: all tests ask of one before the next one comes."""
    said: Truth = request.param
    return said


@pytest.fixture(scope="module")
def found(truth: Truth) -> Template:
    """The same template, as it was read in all answers."""
    return whole(truth)


def test_the_catalogue_has_every_oddity() -> None:
    found = {CATALOGUE.truth(number).oddity for number in CATALOGUE.ids}

    assert found - {None} == set(ODDITIES)


@pytest.mark.parametrize("name", sorted(ODDITIES))
def test_the_documentation_says_what_we_make_of_it(name: str) -> None:
    text = (DOCS / "explanation" / "oddities.md").read_text(encoding="utf-8")

    assert f"`{name}`" in text


def metadata_of(truth: Truth) -> bytes:
    return encode(CATALOGUE[truth.id].detail())


def json_of(truth: Truth) -> bytes:
    return encode(CATALOGUE[truth.id].import_answer())


def page_of(truth: Truth) -> bytes:
    return template_page(CATALOGUE, truth.id, SITE).encode()


def whole(truth: Truth) -> Template:
    asked = str(truth.id)
    return assembled(
        dossier_of(
            planned=Planned(asked, listing={"slug": truth.slug}),
            metadata=read_metadata(metadata_of(truth), asked=asked),
            workflow_json=read_workflow_json(json_of(truth), asked=asked),
            page=read_page(page_of(truth), asked=asked, url=SITE + truth.path),
        )
    )


def test_the_metadata_answer_is_read_as_it_is_meant(truth: Truth) -> None:
    found = read_metadata(metadata_of(truth), asked=str(truth.id))

    assert found.title == truth.title
    assert found.description == (truth.description or None)  # nothing written is no description
    assert found.categories == list(truth.categories)
    assert found.created_at == truth.created_at
    assert (found.views, found.recent_views) == (truth.views, truth.recent_views)
    assert [{"id": image.file_id, "url": image.url} for image in found.images] == list(truth.images)
    assert encode(found.workflow) == encode(truth.workflow)
    # An author's empty link is no link.
    links = [link for link in truth.author["links"] if link]
    assert found.author is not None
    assert found.author.model_dump() == {**truth.author, "links": links}
    # The price stands in search and on the page only.
    assert (found.price, found.purchase_url) == (None, None)


def test_the_json_answer_is_read_as_it_is_meant(truth: Truth) -> None:
    found = read_workflow_json(json_of(truth), asked=str(truth.id))

    assert found.title == truth.title
    assert encode(found.workflow) == encode(truth.workflow)


def test_the_page_is_read_as_it_is_meant(truth: Truth) -> None:
    found = read_page(page_of(truth), asked=str(truth.id), url=SITE + truth.path)

    # White space on a page says nothing, so outer spaces of a title are gone there.
    assert found.title == " ".join(truth.title.split())
    assert found.slug == truth.slug
    assert (found.author_name, found.author_username) == (
        truth.author["name"],
        truth.author["username"],
    )
    assert found.categories == list(truth.categories)
    # Ours is the part that follows the label.
    assert f"Last update {found.last_update_text}" == truth.last_update_text
    # "Use for free" is a price of nothing; search leaves the key out as well.
    assert found.price == (truth.price or 0)
    assert found.purchase_url == truth.purchase_url
    assert encode(found.workflow) == encode(truth.workflow)
    assert {picture.address for picture in found.pictures} == {
        image["url"] for image in truth.images
    }


def test_the_facts_of_the_workflow_are_counted_as_they_were_drawn(
    truth: Truth, found: Template
) -> None:
    assert (found.node_count, found.note_count) == (truth.node_count, truth.note_count)
    # Ours leaves sticky notes out, which have a count of their own.
    drawn = {name: times for name, times in truth.node_types.items() if name != facts.STICKY_NOTE}
    assert found.node_types == drawn
    # An edge to or from a node that is not there is written in the file all the same.
    edges = [*truth.edges, *truth.dangling_edges]
    assert found.workflow is not None
    assert Counter(
        (edge.source, edge.output, edge.target) for edge in facts.edges(found.workflow)
    ) == Counter((edge.source, edge.output_type, edge.target) for edge in edges)
    assert found.connection_count == len(edges)


def test_pictures_and_videos_are_those_that_were_put_in(truth: Truth, found: Template) -> None:
    assert found.videos is not None
    assert {video.video_id for video in found.videos} == truth.videos
    # Ours come in the order of the text; what only notes show, the stand-in does not count.
    assert found.images is not None
    shown = [image for image in found.images if image.places != ["note"]]
    assert {(image.file_id, image.url) for image in shown} == {
        (image["id"], image["url"]) for image in truth.images
    }


def test_the_answers_of_one_template_agree(truth: Truth, found: Template) -> None:
    assert found.agreement is not None
    agreement = found.agreement.model_dump()
    # A text that only the page could have is compared with none.
    assert agreement.pop("same_text") is (True if truth.description else None)
    assert set(agreement.values()) == {True}
    assert found.explainer is not None
    assert found.explainer.differences == []


def test_the_whole_template_keeps_the_contract(truth: Truth, found: Template) -> None:
    assert broken_promises(found) == []
    assert found.outcome is Outcome.COMPLETE
    assert found.url == SITE + truth.path
    assert found.explainer is not None
    assert found.explainer.markdown == (truth.description or None)


WITHOUT_WORDS = [
    "picture_only", "picture_without_alt", "several_pictures_only", "linked_picture_only",
    "video_only", "frame_only", "video_element_only", "empty_description",
]  # fmt: skip


@pytest.mark.parametrize("name", WITHOUT_WORDS)
def test_a_template_that_explains_without_words_is_complete(name: str) -> None:
    found = whole(CATALOGUE.truth(CATALOGUE.id_at(index_of_oddity(name))))

    assert found.outcome is Outcome.COMPLETE
    assert found.explainer is not None
    assert (found.explainer.page_text, found.explainer.differences) == ("", [])


@pytest.mark.parametrize("name", ["Strictly necessary", "Case Studies", "This website uses"])
def test_no_chrome_is_in_any_page_text(name: str) -> None:
    for number in CATALOGUE.ids[:60]:
        truth = CATALOGUE.truth(number)
        found = read_page(page_of(truth), asked=str(number))

        assert name not in found.text


def test_search_names_the_same_prices() -> None:
    items = [CATALOGUE[number].search_item() for number in CATALOGUE.ids]

    found = read_search(encode({"totalWorkflows": len(items), "workflows": items, "filters": []}))

    assert [
        (listed.workflow_id, listed.price, listed.purchase_url) for listed in found.templates
    ] == [
        (str(truth.id), truth.price, truth.purchase_url)
        for truth in map(CATALOGUE.truth, CATALOGUE.ids)
    ]


@pytest.mark.parametrize("form", ["flat", "index", "gzip", "split"])
def test_the_sitemap_lists_every_template_in_each_of_its_forms(form: str) -> None:
    sitemaps = Sitemaps(CATALOGUE, form)
    waiting, entries = ["/sitemap_index.xml"], list[Entry]()

    while waiting:
        body = sitemaps.file(waiting.pop(0), SITE)
        assert body is not None
        found = read_sitemap(body)
        waiting += [child.removeprefix(SITE) for child in found.children]
        entries += found.entries

    assert entries == [
        Entry(str(number), CATALOGUE.profile(number).slug or None) for number in CATALOGUE.ids
    ]
