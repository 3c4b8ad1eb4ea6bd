"""What a migration does with the rows that earlier versions have written, in both databases."""

from sqlalchemy import text

from n8n_scraper.ledger import migrate
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.models import WorkflowRow
from n8n_scraper.sources.n8n import store as templates
from tests.older import back_to
from tests.unit.making import template


def test_templates_that_were_removed_are_not_listed_any_more(database: Database) -> None:
    # Given an archive of a version that left a removed template listed
    for number in ("7", "8"):
        database.do(lambda session, number=number: templates.save(session, template(number), []))
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE workflows SET removed_at = '2026' WHERE workflow_id = '8'"))
        back_to(connection, "0007")

    # When it is upgraded
    migrate.upgrade(database.engine)

    # Then the two columns say the same
    listed = [
        database.do(lambda session, one=one: session.get(WorkflowRow, one).in_inventory)
        for one in ("7", "8")
    ]
    assert listed == [True, False]
