"""What would be asked for a template, and where its fields can stand."""

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Step
from n8n_scraper.sources.n8n.asking import item_at, steps
from n8n_scraper.sources.n8n.pages.template import places
from n8n_scraper.sources.n8n.parts import Layer
from tests.unit.making import dossier, template

SITE = {"N8N_SITE_URL": "https://site.example", "N8N_API_URL": "https://api.example"}
METADATA = "https://api.example/api/templates/workflows/7"
JSON = "https://api.example/api/workflows/templates/7"
PAGE = "https://site.example/workflows/7-a-slug/"


def test_an_address_of_any_of_the_answers_speaks_of_its_template() -> None:
    found = [item_at(SITE, url) for url in (METADATA, JSON, PAGE)]

    assert [one and one.item_id for one in found] == ["7", "7", "7"]
    assert item_at(SITE, "https://site.example/pricing") is None


def test_a_full_chain_asks_for_all_three_and_a_lean_one_for_what_is_lacking() -> None:
    known = dossier("7")
    known.planned = Planned("7", listing={"slug": "a-slug"})

    asked = steps(SITE, known)

    assert asked["full"] == (
        Step(Layer.METADATA, METADATA),
        Step(Layer.JSON, JSON),
        Step(Layer.EXPLAINER, PAGE),
    )
    assert asked["lean"] == (
        Step(Layer.METADATA, METADATA),
        Step(Layer.JSON, None, "metadata brought the workflow"),
        Step(Layer.EXPLAINER, None, "metadata brought the explanation"),
    )


def test_of_a_template_that_the_site_did_not_have_nothing_more_would_be_asked() -> None:
    gone = Dossier.opened(Planned("7"), started=0.0)
    gone.settle(Layer.METADATA, PartStatus.MISSING, "no such template", "not_found", 404)

    for chain in steps(SITE, gone).values():
        assert [step.url for step in chain] == [METADATA, None, None]
        assert chain[1].why_not == "the site has no such template"


def test_of_a_template_that_nobody_knows_everything_may_have_to_be_asked() -> None:
    unknown = Dossier.opened(Planned("7"), started=0.0)

    assert all(step.url for chain in steps(SITE, unknown).values() for step in chain)


def test_a_field_is_read_from_the_first_place_in_which_it_stands() -> None:
    whole = dossier("7")

    told, item = places(whole), template("7")

    for field, found in told.items():
        has = [place.name for place in found if place.why_not is None]
        assert item.sources.get(field) == (has[0] if has else None)
        assert (field in item.unobserved) == (not has)
    assert [place.name for place in told["title"] if place.why_not is None] == ["metadata", "json"]


def test_a_place_without_the_field_says_why() -> None:
    told = places(dossier("7"))

    assert [(place.name, place.why_not) for place in told["price"]][:2] == [
        ("search", "search was not asked"),
        ("metadata", "metadata does not give it"),
    ]
