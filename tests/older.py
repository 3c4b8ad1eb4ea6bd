"""Archives as an earlier version of the project left them."""

from alembic import command
from sqlalchemy import Connection

from n8n_scraper.ledger import migrate


def back_to(connection: Connection, revision: str) -> None:
    """Take back, by the migrations themselves, what later versions have made of the tables."""
    with migrate._config() as config:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
