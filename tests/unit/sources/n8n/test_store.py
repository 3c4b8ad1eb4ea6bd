"""Templates in and out of both databases."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.computing import compute
from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.item import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.tables import RawAnswerRow, VersionRow
from n8n_scraper.records.written import write_down
from n8n_scraper.sources.n8n.item import Image, Template, broken_promises
from n8n_scraper.sources.n8n.pages.page import read_page
from n8n_scraper.sources.n8n.pages.template import assemble
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from n8n_scraper.sources.n8n.rules.fingerprint import content_hash
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table
from n8n_scraper.sources.n8n.rules.quality import score
from n8n_scraper.sources.n8n.rules.secrets import find_secrets
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.sources.n8n.tables import WorkflowRow
from tests import templates
from tests.unit.making import WORKFLOW, dossier, metadata_answer, template
from tests.unit.sources.n8n.pages.given import html_page


def save(database: Database, item: Template, answers: list = ()) -> Template:
    return database.do(lambda session: templates.save(session, item, answers))


def load(database: Database, workflow_id: str) -> Template | None:
    return database.do(lambda session: templates.load(session, workflow_id))


def test_every_field_of_the_contract_is_a_column() -> None:
    columns = set(WorkflowRow.__table__.columns.keys())

    assert set(Template.model_fields) <= columns
    beside = {"quality_score", "quality_grade"}
    assert columns - set(Template.model_fields) == beside


def test_what_is_stored_comes_back_as_it_was(database: Database) -> None:
    item = template()
    item.observe("quality", score(item), "computed")

    save(database, item)

    assert load(database, "7") == item


def test_a_template_that_was_never_stored_is_none(database: Database) -> None:
    assert load(database, "404") is None


def test_storing_again_replaces_and_adds_nothing(database: Database) -> None:
    save(database, template(), list(dossier().answers.values()))

    save(database, template(name="A new title"), list(dossier().answers.values()))

    assert load(database, "7").title == "A new title"
    count = lambda model: database.do(  # noqa: E731
        lambda session: session.scalar(select(func.count()).select_from(model))
    )
    assert (count(WorkflowRow), count(RawAnswerRow)) == (1, 2)


def test_two_crawls_that_find_the_same_new_template_both_store_it(database_url: str) -> None:
    # Given two processes that store the same templates at the same moment
    def store(_: int) -> None:
        one = Database(database_url)
        try:
            for number in range(1, 21):
                together.wait(20)
                save(one, template(str(number)))
        finally:
            one.close()

    together = Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(store, range(2)))

    # Then each is there, and has one version
    reader = Database(database_url)
    versions = reader.do(lambda session: session.scalar(select(func.count(VersionRow.version))))
    reader.close()
    assert versions == 20


def test_raw_answers_are_kept_to_the_byte(database: Database) -> None:
    save(database, template(), list(dossier().answers.values()))

    raw = database.do(lambda session: templates.raw_answer(session, "7", "metadata"))

    assert raw == metadata_answer()
    assert database.do(lambda session: templates.raw_answer(session, "7", "explainer")) is None


def test_a_workflow_keeps_its_order_of_keys(database: Database) -> None:
    odd = {"nodes": [{"zeta": 1, "alpha": 2}], "connections": {}, "b": 1, "a": {"y": 0, "x": 0}}
    item = template()
    item.workflow = odd

    save(database, item)

    assert json.dumps(load(database, "7").workflow) == json.dumps(odd)


def test_text_that_no_database_takes_is_stored_all_the_same(database: Database) -> None:
    # Given characters that PostgreSQL or UTF-8 refuse, in a column and inside the workflow
    item = template(name="A \ud800 half, a \x00 zero")
    item.workflow = {"nodes": [{"name": "\x00 \ud800", "type": "t"}], "connections": {}}

    save(database, item)

    loaded = load(database, "7")
    assert loaded.title == "A � half, a � zero"
    assert loaded.workflow == item.workflow


def test_all_templates_come_one_by_one_in_the_order_of_their_ids(database: Database) -> None:
    for number in ("30", "10", "20"):
        save(database, template(number))

    ids = database.do(lambda session: [one.workflow_id for one in templates.load_all(session)])

    assert ids == ["10", "20", "30"]


KEY = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z" * 2
LEAKING = {
    "nodes": [
        {**node, "parameters": {"authorization": f"Bearer {KEY}"}} for node in WORKFLOW["nodes"]
    ],
    "connections": WORKFLOW["connections"],
}


def computed(item: Template) -> Template:
    """The item as the pipelines pass it on."""
    compute(COMPUTED, item)
    return item


def whole() -> Template:
    """A template of which everything was had, with a key in its workflow."""
    made = dossier()
    assert made.read[Layer.JSON] is not None
    made.read[Layer.JSON] = replace(made.read[Layer.JSON], workflow=LEAKING)
    return computed(assembled(made))


def without_workflow(name: str = "A new title", **changes: object) -> Template:
    """The same, renamed, when the JSON could not be had and the metadata bring no workflow."""
    made = dossier(name=name, workflow=None, **changes)
    made.read[Layer.JSON] = None
    made.settle(Layer.JSON, PartStatus.FAILED, "no answer in time")
    return computed(assembled(made))


def without_metadata() -> Template:
    """The same, when only the JSON could be had."""
    made = dossier()
    made.read[Layer.METADATA] = None
    made.settle(Layer.METADATA, PartStatus.FAILED, "no answer in time")
    return computed(assembled(made))


def assembled(made: Dossier) -> Template:
    return assemble(made, Provenance("https://n8n.io", "run", "2026-02-01T00:00:00.000Z", 0.5))


def stored_after(database: Database, *items: Template) -> Template:
    stored = [save(database, item) for item in items]
    kept = load(database, "7")
    assert kept == stored[-1]
    return kept


@pytest.mark.parametrize("later", [without_workflow, without_metadata])
def test_what_is_computed_follows_from_what_is_kept_and_what_is_new(
    database: Database, later: Callable[[], Template]
) -> None:
    # Given a whole template in the archive
    # When it comes again without a part that could not be had
    kept = stored_after(database, whole(), later())

    # Then it is whole again, and so is all that is computed of it
    assert kept.workflow is not None
    assert kept.description is not None
    assert kept.quality == score(kept)
    assert kept.content_hash == content_hash(kept)
    assert kept.secrets == find_secrets(kept)
    assert kept.import_check == check_import(kept.workflow, name=kept.title, table=shipped_table())
    assert broken_promises(kept) == []


def test_a_kept_workflow_keeps_its_findings_and_its_verdict(database: Database) -> None:
    kept = stored_after(database, whole(), without_workflow())

    assert (kept.title, kept.workflow) == ("A new title", LEAKING)
    assert (kept.node_count, kept.sources["node_count"]) == (2, "json")
    assert {finding.place for finding in kept.secrets or []} == {
        "workflow.nodes[0].parameters.authorization",
        "workflow.nodes[1].parameters.authorization",
    }
    assert kept.import_check is not None
    assert "import_check" not in kept.unobserved


def test_a_secret_in_a_new_text_is_found_beside_a_kept_workflow(database: Database) -> None:
    renewed = without_workflow(description=f"Write {KEY} into the field.")

    kept = stored_after(database, whole(), renewed)

    assert "description" in {finding.place for finding in kept.secrets or []}
    assert len(kept.secrets or []) == 3


def test_the_fingerprint_is_the_old_one_when_only_what_was_not_had_is_lacking(
    database: Database,
) -> None:
    first = whole()
    same = without_workflow(name="Ask an address")

    kept = stored_after(database, first, same)

    assert kept.content_hash == first.content_hash
    assert kept.content_hash != without_workflow(name="Ask an address").content_hash


def test_a_score_does_not_suffer_from_what_was_not_had_this_time(database: Database) -> None:
    first = whole()
    later = without_workflow()
    assert later.quality is not None
    poor = later.quality.layers["json"]

    kept = stored_after(database, first, later)

    assert kept.quality is not None
    assert first.quality is not None
    assert poor == 0
    assert kept.quality.layers == first.quality.layers


def test_a_page_that_was_not_asked_again_is_not_said_to_be_too_long(database: Database) -> None:
    # Given a template whose page was read and compared with its description
    first = dossier()
    page = html_page("<p>It asks.</p>", address="https://n8n.io/workflows/7-ask-an-address/")
    first.read[Layer.EXPLAINER] = read_page(page, asked="7")
    first.settle(Layer.EXPLAINER, PartStatus.OK, http_status=200)
    full = computed(assembled(first))

    # When it is updated without its page
    kept = stored_after(database, full, computed(template()))

    # Then the page's words are kept, and nothing is said of them that was not found out
    assert kept.explainer is not None
    assert kept.explainer.page_text
    assert kept.quality is not None
    assert "not_compared" not in [one.code for one in kept.quality.issues]


def test_pictures_and_videos_stay_with_the_texts_that_show_them(database: Database) -> None:
    # Given a picture in the description, and a video in the description and in a note
    described = "![a](https://n8n.example/a.png) https://youtu.be/abcdefghijk"
    note = {
        "name": "Note",
        "type": "n8n-nodes-base.stickyNote",
        "parameters": {"content": "https://youtu.be/abcdefghijk and https://youtu.be/ABCDEFGHIJK"},
    }
    noted = {**WORKFLOW, "nodes": [*WORKFLOW["nodes"], note]}
    first = dossier(description=described)
    assert first.read[Layer.JSON] is not None
    first.read[Layer.JSON] = replace(first.read[Layer.JSON], workflow=noted)

    # When the workflow cannot be had, and the picture has gone from the description
    renewed = without_workflow(description="Only https://youtu.be/abcdefghijk")
    kept = stored_after(database, computed(assembled(first)), renewed)

    # Then what the kept notes show is kept, and what the description has lost is gone
    assert kept.images == []
    assert {one.video_id: one.places for one in kept.videos or []} == {
        "abcdefghijk": ["description", "note"],
        "ABCDEFGHIJK": ["note"],
    }


def test_a_transaction_that_is_repeated_keeps_what_was_not_had_as_well(database: Database) -> None:
    # Given a whole template in the archive, and the same without its workflow, written out already
    first = whole()
    save(database, first)
    item = without_workflow()
    as_it_came = item.model_copy(deep=True)
    written = write_down(SOURCE, item, [])

    # When it is stored by a transaction that breaks after that, and is done again
    def broken(session: Session) -> None:
        templates.save(session, item, [], written)
        raise ConnectionError

    with pytest.raises(ConnectionError):
        database.do(broken)
    stored = database.do(lambda session: templates.save(session, item, [], written))

    # Then the workflow is still there, and the item is as it came
    assert stored.workflow == first.workflow
    assert stored.quality == score(stored)
    assert load(database, "7") == stored
    assert item == as_it_came


def test_pictures_of_a_page_stay_as_long_as_its_words_do(database: Database) -> None:
    # Given what only the page has shown
    shown = Image(url="https://n8n.example/p.png", alt=None, places=["page"])
    first = template()
    assert first.explainer is not None
    first.explainer = first.explainer.model_copy(update={"page_text": "As the page has it"})
    first.observe("images", [shown], "content")

    # When the page is not asked, first with the same description, then with a new one
    same = stored_after(database, first, template())
    renewed = stored_after(database, template(description="New."))

    # Then the picture stays with the words, and goes with them
    assert same.images == [shown]
    assert renewed.images == []


def test_pictures_of_a_kept_description_stay(database: Database) -> None:
    first = computed(assembled(dossier(description="![a](https://n8n.example/a.png) Words.")))

    kept = stored_after(database, first, without_metadata())

    assert [(one.url, one.places) for one in kept.images or []] == [
        ("https://n8n.example/a.png", ["description"])
    ]
    assert kept.sources["images"] == "content"


def test_who_does_not_want_secrets_to_be_looked_for_is_obeyed(database: Database) -> None:
    renewed = without_metadata()
    renewed.secrets = None
    off = {"secrets": "not looked for: REDACT is off"}
    renewed.unobserved = {**renewed.unobserved, **off}

    kept = stored_after(database, whole(), renewed)

    assert kept.description is not None
    assert (kept.secrets, kept.unobserved["secrets"]) == (None, off["secrets"])


def test_what_came_in_full_is_stored_as_it_was_computed(database: Database) -> None:
    again = whole()
    again.scraped_at = "2026-03-01T00:00:00.000Z"
    as_it_came = again.model_copy(deep=True)

    assert stored_after(database, whole(), again) == as_it_came
