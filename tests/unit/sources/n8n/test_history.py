"""What storing a template brings to light, in both databases."""

import copy
import time
from typing import Any

import pytest
from sqlalchemy import Text, cast, func, literal_column, select, true, update

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.item import PartState, PartStatus
from n8n_scraper.core.packing import unpack_json
from n8n_scraper.ledger import items, runs
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.records import history
from n8n_scraper.records.tables import EventRow, VersionRow
from n8n_scraper.reports.history import events_since
from n8n_scraper.sources.n8n.item import Explainer, Template, broken_promises
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.sources.n8n.tables import ViewSampleRow, WorkflowRow
from tests import templates
from tests.unit.making import WORKFLOW, template

NEW = NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows")


def save(database: Database, item: Template) -> Template:
    item.observe("quality", None, "computed")
    item.unobserved = {**item.unobserved, "quality": "not scored yet"}
    return database.do(lambda session: templates.save(session, item, []))


def seen(day: int, run_id: str = "run", **changes: object) -> Template:
    """The template as it was found on a day."""
    item = template(run_id=run_id, **changes)
    item.scraped_at = f"2026-11-{day:02}T00:00:00.000Z"
    return item


def with_workflow(item: Template, **parameters: object) -> Template:
    item.workflow = copy.deepcopy(item.workflow)
    item.workflow["nodes"][1]["parameters"] |= parameters
    return item


def from_page(item: Template, **values: object) -> Template:
    """The same, with its page asked and these values on it."""
    item.layers = {**item.layers, Layer.EXPLAINER: PartState(status=PartStatus.OK)}
    for name, value in values.items():
        item.observe(name, value, "page")
    return item


def events(database: Database) -> list[tuple[str, str, dict[str, Any]]]:
    found = events_since(database, [SOURCE], "2000")
    return [(event.kind, event.item_id, event.details) for event in found]


def kinds(database: Database) -> list[str]:
    return [kind for kind, _, _ in events(database)]


def versions(database: Database, workflow_id: str = "7") -> list[dict[str, Any]]:
    query = select(VersionRow).where(VersionRow.item_id == workflow_id).order_by(VersionRow.version)
    found = database.do(lambda session: session.scalars(query).all())
    assert [one.version for one in found] == list(range(1, len(found) + 1))
    return [unpack_json(one.content) for one in found]


def row(database: Database, workflow_id: str = "7") -> WorkflowRow:
    return database.do(lambda session: session.get(WorkflowRow, workflow_id))


def run_with(database: Database, *ids: str, listed: bool = True) -> str:
    run_id = database.do(lambda session: runs.enter(session, NEW))
    planned = [Planned(one, listed) for one in ids]
    database.do(lambda session: items.plan(session, run_id, planned, first=0))
    return run_id


def test_a_template_that_was_never_stored_is_new_in_its_first_version(database: Database) -> None:
    save(database, seen(1))

    assert events(database) == [("new", "7", {"title": "Ask an address", "slug": "ask-an-address"})]
    [content] = versions(database)
    assert (content["title"], content["author"]) == ("Ask an address", "ada")
    assert content["workflow"] == WORKFLOW


def test_an_unchanged_template_costs_no_version_and_is_no_event(database: Database) -> None:
    save(database, seen(1))

    save(database, seen(2, totalViews=50, recentViews=9))

    assert kinds(database) == ["new"]
    assert len(versions(database)) == 1


def test_every_view_count_is_one_sample(database: Database) -> None:
    save(database, seen(1))
    save(database, seen(2, totalViews=50, recentViews=9))
    save(database, seen(2, totalViews=50, recentViews=9))  # a repeated transaction
    nobody_counted = seen(3)
    nobody_counted.views = nobody_counted.recent_views = None
    save(database, nobody_counted)

    samples = database.do(
        lambda session: session.execute(
            select(ViewSampleRow.at, ViewSampleRow.views, ViewSampleRow.recent_views).order_by(
                ViewSampleRow.at
            )
        ).all()
    )

    assert [(at[8:10], views, recent) for at, views, recent in samples] == [
        ("01", 12, 1),
        ("02", 50, 9),
    ]


def test_a_changed_template_has_a_new_version_and_an_event_field_by_field(
    database: Database,
) -> None:
    save(database, seen(1))

    save(database, with_workflow(seen(2, "later", description="New."), url="https://new.example"))

    [_, (kind, _, details)] = events(database)
    assert (kind, details["version"]) == ("changed", 2)
    assert details["fields"]["description"]["new"] == "New."
    [edited] = details["fields"]["workflow"]["nodes_edited"]
    assert edited["name"] == "Ask"
    assert edited["edits"] == [
        {"path": "parameters.url", "old": "https://example.org", "new": "https://new.example"}
    ]
    old, new = versions(database)
    assert (old["workflow"], new["description"]) == (WORKFLOW, "New.")
    last = database.do(lambda session: session.get(VersionRow, ("n8n", "7", 2)))
    assert (last.run_id, last.seen_at) == ("later", "2026-11-02T00:00:00.000Z")


def test_a_new_title_is_a_change_and_a_new_name(database: Database) -> None:
    save(database, seen(1))

    save(database, seen(2, name="New"))

    assert kinds(database) == ["new", "renamed"]
    assert events(database)[-1][2] == {"title": {"old": "Ask an address", "new": "New"}}


def test_a_new_slug_is_a_new_name_and_no_version(database: Database) -> None:
    save(database, seen(1))
    item = seen(2)
    item.slug = "asks"

    save(database, item)

    assert events(database)[1:] == [
        ("renamed", "7", {"slug": {"old": "ask-an-address", "new": "asks"}})
    ]
    assert len(versions(database)) == 1


def test_what_the_server_blacks_out_is_no_edit_and_the_first_version_keeps_it(
    database: Database,
) -> None:
    save(database, with_workflow(seen(1), key="sk-12345"))

    save(database, with_workflow(seen(2), key="YOUR_OPENAI_KEY_HERE"))

    assert kinds(database) == ["new"]
    [content] = versions(database)
    assert content["workflow"]["nodes"][1]["parameters"]["key"] == "sk-12345"
    assert row(database).workflow["nodes"][1]["parameters"]["key"] == "YOUR_OPENAI_KEY_HERE"


def test_an_edit_beside_a_placeholder_is_found(database: Database) -> None:
    save(database, with_workflow(seen(1), key="sk-12345"))

    save(database, with_workflow(seen(2), key="YOUR_OPENAI_KEY_HERE", url="https://new.example"))

    [edited] = events(database)[1][2]["fields"]["workflow"]["nodes_edited"]
    assert [edit["path"] for edit in edited["edits"]] == ["parameters.url"]


def test_a_layer_that_failed_is_no_change_and_neither_is_its_return(database: Database) -> None:
    save(database, seen(1))
    failed = seen(2)
    failed.layers = {**failed.layers, Layer.METADATA: PartState(status=PartStatus.FAILED)}
    failed.description = failed.author = failed.categories = None

    save(database, failed)
    save(database, seen(3))
    assert kinds(database) == ["new"]

    # And an edit made in between is found all the same
    save(database, failed)
    save(database, seen(4, description="New."))
    assert kinds(database) == ["new", "changed"]


def test_what_is_first_seen_later_completes_the_version(database: Database) -> None:
    partial = seen(1)
    partial.layers = {**partial.layers, Layer.METADATA: PartState(status=PartStatus.FAILED)}
    partial.description = None
    save(database, partial)

    save(database, from_page(seen(2), price=20.0))

    assert kinds(database) == ["new"]
    [content] = versions(database)
    assert content["description"].startswith("Asks an address.")
    assert content["price"] == 20.0


def test_a_price_is_a_change_only_where_both_sides_know_one(database: Database) -> None:
    save(database, seen(1))
    save(database, from_page(seen(2), price=0.0))
    assert kinds(database) == ["new"]

    save(database, from_page(seen(3), price=20.0, purchase_url="https://shop.example"))

    assert events(database)[1][2]["fields"] == {"price": {"old": 0.0, "new": 20.0}}


def test_settings_that_only_one_of_two_answers_carries_are_no_change(database: Database) -> None:
    first = seen(1)
    first.workflow = {**WORKFLOW, "settings": {"executionOrder": "v1"}}
    save(database, first)

    # When the workflow comes from another answer, then what that one leaves out says nothing
    lean = seen(2)
    lean.sources = {**lean.sources, "workflow": "metadata"}
    save(database, lean)
    assert kinds(database) == ["new"]

    # But from the same answer it does
    changed = seen(3)
    changed.workflow = {**WORKFLOW, "settings": {"executionOrder": "v0"}}
    changed.sources = {**changed.sources, "workflow": "metadata"}
    save(database, changed)
    assert kinds(database) == ["new", "changed"]


def test_a_template_stored_before_there_was_a_history_gets_its_first_version(
    database: Database,
) -> None:
    save(database, seen(1))
    for model in (VersionRow, EventRow, ViewSampleRow):
        database.do(lambda session, model=model: session.query(model).delete())

    save(database, seen(2, description="New."))

    assert kinds(database) == ["changed"]
    assert [content["description"][:4] for content in versions(database)] == ["Asks", "New."]


def test_a_row_of_an_older_shape_can_be_compared_and_replaced(database: Database) -> None:
    # Given a row that this version would not read any more
    save(database, from_page(seen(1), last_update_text="Last update a month ago"))
    strange = {"notes": [{"odd": 1}], "images": ["x"], "author": {"username": "ada", "odd": 1}}
    sources = {"images": "page", "last_update_text": "page", "notes": "json", "long_gone": "page"}
    database.do(
        lambda session: session.execute(update(WorkflowRow).values(**strange, sources=sources))
    )
    item = seen(2, description="New.")
    item.images = None

    save(database, item)

    assert kinds(database) == ["new", "changed"]
    assert row(database).images is None
    assert row(database).last_update_text == "Last update a month ago"


@pytest.mark.parametrize("page_text", ["As the page has it", ""])
def test_a_layer_that_was_not_asked_takes_no_older_value_away(
    database: Database, page_text: str
) -> None:
    # Given what only the page has
    values = {"last_update_text": "Last update a month ago", "price": 20.0}
    whole = from_page(seen(1), **values)
    whole.explainer = whole.explainer.model_copy(update={"page_text": page_text})
    save(database, whole)

    # When the page is not asked
    stored = save(database, seen(2, totalViews=99))

    # Then it is kept with its source, in what feeds get as well
    kept = database.do(lambda session: templates.load(session, "7"))
    assert kept == stored
    assert (kept.last_update_text, kept.price) == ("Last update a month ago", 20.0)
    assert kept.sources["price"] == "page"
    assert kept.explainer.page_text == page_text
    assert kept.views == 99
    assert "price" not in kept.unobserved
    assert not [one for one in broken_promises(kept) if "quality" not in one]


def test_a_page_that_was_asked_and_is_silent_takes_the_older_value_away(
    database: Database,
) -> None:
    save(database, from_page(seen(1), price=20.0))

    save(database, from_page(seen(2)))

    assert row(database).price is None


def test_the_words_of_an_older_page_do_not_stay_beside_a_new_explanation(
    database: Database,
) -> None:
    whole = from_page(seen(1))
    whole.explainer = whole.explainer.model_copy(update={"page_text": "Old"})
    save(database, whole)
    changed = seen(2, description="New.")
    assert isinstance(changed.explainer, Explainer)

    save(database, changed)

    assert row(database).explainer["page_text"] is None


def test_a_slug_that_only_the_page_gave_stays_with_its_address(database: Database) -> None:
    whole = from_page(seen(1))
    whole.sources = {**whole.sources, "slug": "page"}
    save(database, whole)
    lean = seen(2)
    lean.slug, lean.url = None, "https://n8n.io/workflows/7/"

    save(database, lean)

    assert (row(database).slug, row(database).url) == ("ask-an-address", whole.url)


def test_what_a_whole_inventory_does_not_list_is_removed_once(database: Database) -> None:
    for number in ("7", "8", "9"):
        save(database, template(number))
    run_id = run_with(database, "7", "10")
    database.do(lambda session: items.plan(session, run_id, [Planned("8", listed=False)], first=2))

    first = database.do(lambda session: history.note_removals(session, SOURCE, run_id))
    again = database.do(lambda session: history.note_removals(session, SOURCE, run_id))

    assert (first.missing, first.known, again.missing) == (2, 3, 0)
    removed = [(number, details) for kind, number, details in events(database) if kind == "removed"]
    assert removed == [(one, {"reason": "the site does not list it any more"}) for one in "89"]
    assert row(database, "7").removed_at is None
    assert row(database, "8").removed_at is not None
    assert [row(database, one).in_inventory for one in "789"] == [True, False, False]


def test_a_list_that_lacks_too_much_removes_nothing_and_is_doubted(database: Database) -> None:
    # Given twenty templates, and an inventory that lists three of them and a new one
    for number in range(1, 21):
        save(database, template(str(number)))
    run_id = run_with(database)
    short = [Planned(number) for number in ("1", "2", "3", "99")]

    # When an update is planned by it
    removals = database.do(
        lambda session: history.plan_update(
            session, SOURCE, run_id, short, first=0, most_removed=0.1
        )
    )

    # Then what it lists is planned, and nothing of the rest has happened
    assert database.do(lambda session: items.tally(session, run_id)).total == 4
    assert (removals.missing, removals.known, removals.believed) == (17, 20, False)
    assert set(kinds(database)) == {"new"}
    assert row(database, "20").removed_at is None


def test_a_template_that_is_gone_is_removed_if_it_is_stored_at_all(database: Database) -> None:
    save(database, template("7"))
    run_id = run_with(database, "7", "8")

    for number in ("7", "7", "8"):
        database.do(
            lambda session, number=number: history.note_gone(session, SOURCE, run_id, number)
        )

    assert [(kind, number) for kind, number, _ in events(database)] == [
        ("new", "7"),
        ("removed", "7"),
    ]
    by_run = select(func.count()).where(EventRow.run_id == run_id)
    assert database.do(lambda session: session.scalar(by_run)) == 1


def test_a_removed_template_that_is_had_again_has_returned(database: Database) -> None:
    save(database, seen(1))
    run_id = run_with(database, "1")
    database.do(lambda session: history.note_removals(session, SOURCE, run_id))

    save(database, seen(2))

    assert kinds(database)[0] == "new"
    assert sorted(kinds(database)) == ["new", "removed", "returned"]
    assert (row(database).removed_at, row(database).in_inventory) == (None, True)


def test_noting_removals_takes_little_beside_writing_the_rows(database: Database) -> None:
    # Given many rows, of which the inventory lists all but ten
    save(database, template("7"))
    columns = [column for column in WorkflowRow.__table__.columns if column.key != "workflow_id"]
    many = 5_000

    def fill(session: Any) -> None:
        numbers = select(literal_column("8").label("n")).cte("numbers", recursive=True)
        numbers = numbers.union_all(select(numbers.c.n + 1).where(numbers.c.n < many))
        copies = select(cast(numbers.c.n, Text), *columns).select_from(WorkflowRow)
        copies = copies.join(numbers, true())
        names = ["workflow_id", *(column.key for column in columns)]
        # Without what is large: only the number of rows matters here.
        session.execute(update(WorkflowRow).values(workflow=None, explainer=None))
        session.execute(WorkflowRow.__table__.insert().from_select(names, copies))

    began = time.monotonic()
    database.do(fill)
    run_id = run_with(database, *map(str, range(17, many + 1)))
    written = time.monotonic() - began

    # When the removals are noted
    began = time.monotonic()
    removals = database.do(lambda session: history.note_removals(session, SOURCE, run_id))
    noted = time.monotonic() - began

    # Then that takes no look at all rows for each of them, which would be hundreds of times longer
    assert removals.missing == 10
    assert noted < 2 * written


def test_an_update_is_planned_at_one_stroke_and_no_further_than_it_can_go(
    database: Database,
) -> None:
    save(database, template("99"))
    run_id = run_with(database)
    entries = [Planned(str(number)) for number in range(1, 21)]

    database.do(
        lambda session: history.plan_update(session, SOURCE, run_id, entries, first=0, most=5)
    )

    # Then the whole list served to see what is missing
    assert database.do(lambda session: items.tally(session, run_id)).total == 5
    assert kinds(database) == ["new", "removed"]
    assert database.do(lambda session: session.get(RunRow, run_id)).discovered_at


def test_a_narrowed_update_removes_nothing_and_an_empty_one_is_not_over(
    database: Database,
) -> None:
    save(database, template("99"))
    run_id = run_with(database)

    database.do(
        lambda session: history.plan_update(
            session, SOURCE, run_id, [Planned("1")], first=0, most=0, most_removed=None
        )
    )

    assert database.do(lambda session: items.tally(session, run_id)).total == 0
    assert kinds(database) == ["new"]
    assert database.do(lambda session: session.get(RunRow, run_id)).discovered_at is None


def test_what_an_update_has_to_know_of_each_template_comes_without_its_content(
    database: Database,
) -> None:
    save(database, seen(1))

    known = database.do(lambda session: history.stored(session, SOURCE))

    listing = {"slug": "ask-an-address"}
    assert known == {"7": history.Stored(listing, "2026-11-01T00:00:00.000Z", False)}
    assert database.do(lambda session: session.scalar(select(func.count(WorkflowRow.url)))) == 1
