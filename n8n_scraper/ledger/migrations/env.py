"""Where Alembic starts: it works in the connection that `ledger.migrate` hands over."""

from alembic import context

given = context.config.attributes
context.configure(
    connection=given["connection"],
    version_table=given["version_table"],
    transactional_ddl=True,
)
context.run_migrations()
