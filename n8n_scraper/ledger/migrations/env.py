"""Where Alembic starts: it works in the connection that `storage.migrate` hands over."""

from alembic import context

from n8n_scraper.ledger.models import WorkflowRow

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=WorkflowRow.metadata,
    transactional_ddl=True,
)
context.run_migrations()
