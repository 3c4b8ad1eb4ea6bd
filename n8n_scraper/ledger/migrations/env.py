"""Where Alembic starts: it works in the connection that `storage.migrate` hands over."""

from alembic import context

from n8n_scraper.ledger.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
)
context.run_migrations()
