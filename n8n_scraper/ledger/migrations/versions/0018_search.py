"""Make room for the index of the search: what is stored already is indexed when it is first asked.

Revision ID: 0018
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0014"
branch_labels = None
depends_on = None

_COLUMNS = ("title_words", "name_words", "body_words", "facet_words")
_ALL = ", ".join(_COLUMNS)


def upgrade() -> None:
    """Add the tables, and the index that each database keeps of them by itself."""
    op.create_table(
        "search_items",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("source", "item_id")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("rules", "fingerprint")),
        sa.Column("created_at", sa.Text(), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("popularity", sa.BigInteger(), nullable=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("title", "labels")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("facet_words", *_COLUMNS[:3])),
        sa.Column("vocabulary", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_search_items"),
    )
    op.create_index(
        "ix_search_items_source_item_id", "search_items", ["source", "item_id"], unique=True
    )
    op.create_index("ix_search_items_created_at", "search_items", ["source", "created_at"])
    by_letters = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "search_words",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("word", by_letters, nullable=False),
        sa.Column("stem", sa.Text(), nullable=False),
        sa.Column("items", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("source", "word", name="pk_search_words"),
    )
    op.create_index("ix_search_words_stem", "search_words", ["source", "stem"])
    if op.get_bind().dialect.name == "postgresql":
        _index_in_postgresql()
    else:
        _index_in_sqlite()


def downgrade() -> None:
    """Forget it."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE search_index")
    op.drop_table("search_words")
    op.drop_table("search_items")


def _index_in_postgresql() -> None:
    # What is long stands elsewhere, so that many rows are few pages.
    op.execute("ALTER TABLE search_items SET (toast_tuple_target = 256)")
    for name, columns in (("title", 1), ("names", 2), ("whole", 4)):
        words = " || ' ' || ".join(_COLUMNS[:columns])
        op.execute(
            f"CREATE INDEX ix_search_items_{name} ON search_items USING gin "
            f"(array_to_tsvector(array_remove(string_to_array({words}, ' '), ''))) "
            # What is new waits in a list for a while, so that to write is quick; every search reads
            # that list, so it is kept short.
            "WITH (fastupdate = on, gin_pending_list_limit = 256)"
        )


def _index_in_sqlite() -> None:
    op.execute(
        f"CREATE VIRTUAL TABLE search_index USING fts5({_ALL}, content = 'search_items', "
        "content_rowid = 'number', detail = column, columnsize = 0, "
        "tokenize = \"ascii tokenchars '_'\")"
    )
    new, old = (", ".join(f"{row}.{name}" for name in _COLUMNS) for row in ("new", "old"))
    add = f"INSERT INTO search_index (rowid, {_ALL}) VALUES (new.number, {new});"  # noqa: S608 - names of ours
    take = (
        f"INSERT INTO search_index (search_index, rowid, {_ALL}) "  # noqa: S608
        f"VALUES ('delete', old.number, {old});"
    )
    for name, when, does in (
        ("added", "INSERT", add),
        ("taken", "DELETE", take),
        ("changed", f"UPDATE OF number, {_ALL}", take + add),
    ):
        op.execute(
            f"CREATE TRIGGER search_items_{name} AFTER {when} ON search_items BEGIN {does} END"
        )
