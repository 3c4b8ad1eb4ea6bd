"""Archives as an earlier version of the project left them."""

from alembic import command
from sqlalchemy import Connection

from n8n_scraper.ledger.migrate import migrations


def back_to(connection: Connection, revision: str) -> None:
    """Take back, by the migrations themselves, what later versions have made of the tables."""
    with migrations(connection) as config:
        command.downgrade(config, revision)
