"""Count items as they end, by run and by minute, and note how domains were asked.

Triggers keep the counts, so that they are right in the very transaction in which an item is
planned, ends, is tried again or is dropped, whatever does it.

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_UNSETTLED = "state IN ('failed', 'invalid', 'blocked')"

# Which of many rows counts an item: workers that share one would wait for each other's COMMIT.
_SHARD = "coalesce(substr({row}worker, length({row}worker) - 1), '')"
_SHARD_OF_PLAN = "substr({row}item_id, length({row}item_id) - 1)"

_KEY = "run_id, state, outcome, category, shard"
_ENDED = (
    "INSERT INTO scrape_run_counts ({key}, items, requests) VALUES ({row}run_id, {row}state,"
    " {row}outcome, coalesce({row}category, ''), {shard}, {sign}1,"
    " {sign}coalesce({row}requests, 0))"
    " ON CONFLICT ({key}) DO UPDATE SET items = scrape_run_counts.items + excluded.items,"
    " requests = scrape_run_counts.requests + excluded.requests"
)
_MINUTE = (
    "INSERT INTO scrape_run_minutes (run_id, minute, outcome, shard, items)"
    " VALUES ({row}run_id, substr(coalesce({row}closed_at, ''), 1, 16), {row}outcome, {shard},"
    " {sign}1) ON CONFLICT (run_id, minute, outcome, shard)"
    " DO UPDATE SET items = scrape_run_minutes.items + excluded.items"
)
_PLANNED = (
    "INSERT INTO scrape_run_counts ({key}, items, requests)"
    " VALUES ({row}run_id, 'planned', '', '', {shard_of_plan}, {sign}1, 0)"
    " ON CONFLICT ({key}) DO UPDATE SET items = scrape_run_counts.items + excluded.items"
)
# With its run go its counts.
_HAS_RUN = "EXISTS (SELECT 1 FROM scrape_runs WHERE run_id = OLD.run_id)"
_MOVED = " OR ".join(
    f"OLD.{name} IS NOT NEW.{name}"
    for name in ("state", "outcome", "category", "closed_at", "requests")
)

# What has ended before.
_FILL = (
    "INSERT INTO scrape_run_counts (run_id, state, outcome, category, shard, items, requests)"
    " SELECT run_id, state, outcome, coalesce(category, ''), '', count(*),"
    " coalesce(sum(requests), 0) FROM scrape_run_items WHERE outcome IS NOT NULL"
    " GROUP BY run_id, state, outcome, coalesce(category, '')",
    "INSERT INTO scrape_run_counts (run_id, state, outcome, category, shard, items, requests)"
    " SELECT run_id, 'planned', '', '', '', count(*), 0 FROM scrape_run_items GROUP BY run_id",
    "INSERT INTO scrape_run_minutes (run_id, minute, outcome, shard, items)"
    " SELECT run_id, substr(coalesce(closed_at, ''), 1, 16), outcome, '', count(*)"
    " FROM scrape_run_items WHERE outcome IS NOT NULL"
    " GROUP BY run_id, substr(coalesce(closed_at, ''), 1, 16), outcome",
)

_TRIGGERS = ("planned", "ended", "dropped", "moved")


def upgrade() -> None:
    """Make the counts, fill them, and let them be kept."""
    if op.get_bind().dialect.name == "postgresql":
        # What a worker of the version before ends meanwhile waits, and is counted by the triggers.
        op.execute("LOCK TABLE scrape_run_items IN SHARE ROW EXCLUSIVE MODE")
    _make_tables()
    for statement in _FILL:
        op.execute(statement)
    _make_indexes()
    if op.get_bind().dialect.name == "postgresql":
        _triggers_of_postgresql()
    else:
        _triggers_of_sqlite()


def downgrade() -> None:
    """Let nothing be counted any more."""
    if op.get_bind().dialect.name == "postgresql":
        for name in _TRIGGERS:
            op.execute(f"DROP TRIGGER IF EXISTS count_{name} ON scrape_run_items")
            op.execute(f"DROP FUNCTION IF EXISTS count_{name}()")
    else:
        for name in _TRIGGERS:
            op.execute(f"DROP TRIGGER count_{name}")
    for index in ("failed", "failed_category", "duration"):
        op.drop_index(f"ix_scrape_run_items_{index}", "scrape_run_items")
    for table in ("domain_events", "domain_minutes", "scrape_run_minutes", "scrape_run_counts"):
        op.drop_table(table)


def _make_tables() -> None:
    text, number = sa.Text(), sa.BigInteger()
    op.create_table(
        "scrape_run_counts",
        *_key("run_id", "state", "outcome", "category", "shard"),
        sa.Column("items", number, nullable=False),
        sa.Column("requests", number, nullable=False),
        _of_run("scrape_run_counts"),
        sa.PrimaryKeyConstraint(
            "run_id", "state", "outcome", "category", "shard", name="pk_scrape_run_counts"
        ),
    )
    op.create_table(
        "scrape_run_minutes",
        *_key("run_id", "minute", "outcome", "shard"),
        sa.Column("items", number, nullable=False),
        _of_run("scrape_run_minutes"),
        sa.PrimaryKeyConstraint(
            "run_id", "minute", "outcome", "shard", name="pk_scrape_run_minutes"
        ),
    )
    op.create_table(
        "domain_minutes",
        *_key("domain", "minute", "worker"),
        sa.Column("requests", number, nullable=False),
        sa.Column("complaints", number, nullable=False),
        sa.Column("allowed_rate", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("domain", "minute", "worker", name="pk_domain_minutes"),
    )
    op.create_table(
        "domain_events",
        *_key("domain", "at", "kind"),
        sa.Column("reason", text, nullable=False),
        sa.Column("tripped_by", text, nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("rate", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("domain", "at", "kind", name="pk_domain_events"),
    )


def _make_indexes() -> None:
    for name, columns in {
        "failed": ["closed_at", "run_id", "item_id"],
        "failed_category": ["category", "closed_at", "run_id", "item_id"],
    }.items():
        where = sa.text(_UNSETTLED)
        op.create_index(
            f"ix_scrape_run_items_{name}",
            "scrape_run_items",
            columns,
            sqlite_where=where,
            postgresql_where=where,
        )
    op.create_index("ix_scrape_run_items_duration", "scrape_run_items", ["run_id", "duration"])


def _key(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _of_run(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["run_id"], ["scrape_runs.run_id"], name=f"fk_{table}_run_id", ondelete="CASCADE"
    )


def _said(statement: str, row: str, sign: str = "") -> str:
    return statement.format(
        key=_KEY,
        row=row,
        sign=sign,
        shard=_SHARD.format(row=row),
        shard_of_plan=_SHARD_OF_PLAN.format(row=row),
    )


def _added(row: str = "NEW.") -> str:
    return f"{_said(_ENDED, row)}; {_said(_MINUTE, row)};"


def _taken(row: str = "OLD.") -> str:
    return f"{_said(_ENDED, row, '-')}; {_said(_MINUTE, row, '-')};"


def _triggers_of_sqlite() -> None:
    """SQLite has no condition inside of a trigger: a statement of none or of one row is one."""
    op.execute(
        "CREATE TRIGGER count_planned AFTER INSERT ON scrape_run_items BEGIN"
        f" {_said(_PLANNED, 'NEW.')}; {_if('NEW', _added())} END"
    )
    op.execute(
        "CREATE TRIGGER count_dropped AFTER DELETE ON scrape_run_items"
        f" WHEN {_HAS_RUN} BEGIN"
        f" {_said(_PLANNED, 'OLD.', '-')}; {_if('OLD', _taken())} END"
    )
    op.execute(
        "CREATE TRIGGER count_ended AFTER UPDATE ON scrape_run_items"
        f" WHEN NEW.outcome IS NOT NULL AND ({_MOVED}) BEGIN {_added()} END"
    )
    op.execute(
        "CREATE TRIGGER count_moved AFTER UPDATE ON scrape_run_items"
        f" WHEN OLD.outcome IS NOT NULL AND ({_MOVED}) BEGIN {_taken()} END"
    )


def _if(row: str, statements: str) -> str:
    """Let statements of one row be of none where the row has no outcome."""
    made = []
    for statement in filter(None, map(str.strip, statements.split(";"))):
        head, _, rest = statement.partition(" VALUES (")
        values, _, tail = rest.partition(") ON CONFLICT")
        made.append(f"{head} SELECT {values} WHERE {row}.outcome IS NOT NULL ON CONFLICT{tail};")
    return " ".join(made)


def _triggers_of_postgresql() -> None:
    """Count once a statement: one that changes many items would write its rows again and again.

    What has not moved comes with both signs, and falls out. All add in one order, so that no two
    can wait for each other.
    """
    for name, (event, old, new) in {
        "planned": ("INSERT", "", "new_items"),
        "dropped": ("DELETE", "old_items", ""),
        "moved": ("UPDATE", "old_items", "new_items"),
    }.items():
        told = [f"OLD TABLE AS {old}"] * bool(old) + [f"NEW TABLE AS {new}"] * bool(new)
        sides = [("-", old)] * bool(old) + [("", new)] * bool(new)
        statements = [_counted(sides), _by_minute(sides)]
        if event != "UPDATE":
            statements.insert(0, _planned(sides))
        op.execute(
            f"CREATE FUNCTION count_{name}() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$BEGIN {' '.join(statements)} RETURN NULL; END$$"
        )
        op.execute(
            f"CREATE TRIGGER count_{name} AFTER {event} ON scrape_run_items"
            f" REFERENCING {' '.join(told)} FOR EACH STATEMENT EXECUTE FUNCTION count_{name}()"
        )


_OF_KNOWN_RUNS = "run_id IN (SELECT run_id FROM scrape_runs)"


def _counted(sides: list[tuple[str, str]]) -> str:
    found = " UNION ALL ".join(
        f"SELECT run_id, state, outcome, coalesce(category, '') AS category,"  # noqa: S608 - ours
        f" {_SHARD.format(row='')} AS shard, {sign}1 AS items,"
        f" {sign}coalesce(requests, 0) AS requests FROM {table}"
        f" WHERE outcome IS NOT NULL AND {_OF_KNOWN_RUNS}"
        for sign, table in sides
    )
    return (
        f"INSERT INTO scrape_run_counts ({_KEY}, items, requests)"  # noqa: S608 - ours
        f" SELECT {_KEY}, sum(items), sum(requests) FROM ({found}) AS moved GROUP BY {_KEY}"
        f" HAVING sum(items) <> 0 OR sum(requests) <> 0 ORDER BY {_KEY}"
        f" ON CONFLICT ({_KEY}) DO UPDATE SET items = scrape_run_counts.items + excluded.items,"
        " requests = scrape_run_counts.requests + excluded.requests;"
    )


def _by_minute(sides: list[tuple[str, str]]) -> str:
    key = "run_id, minute, outcome, shard"
    found = " UNION ALL ".join(
        f"SELECT run_id, substr(coalesce(closed_at, ''), 1, 16) AS minute, outcome,"  # noqa: S608 - ours
        f" {_SHARD.format(row='')} AS shard, {sign}1 AS items FROM {table}"
        f" WHERE outcome IS NOT NULL AND {_OF_KNOWN_RUNS}"
        for sign, table in sides
    )
    return (
        f"INSERT INTO scrape_run_minutes ({key}, items)"  # noqa: S608 - ours
        f" SELECT {key}, sum(items) FROM ({found}) AS moved GROUP BY {key}"
        f" HAVING sum(items) <> 0 ORDER BY {key} ON CONFLICT ({key})"
        " DO UPDATE SET items = scrape_run_minutes.items + excluded.items;"
    )


def _planned(sides: list[tuple[str, str]]) -> str:
    ((sign, table),) = sides
    return (
        f"INSERT INTO scrape_run_counts ({_KEY}, items, requests)"  # noqa: S608 - ours
        f" SELECT run_id, 'planned', '', '', {_SHARD_OF_PLAN.format(row='')} AS shard,"
        f" {sign}count(*), 0 FROM {table} WHERE {_OF_KNOWN_RUNS}"
        f" GROUP BY run_id, {_SHARD_OF_PLAN.format(row='')} ORDER BY run_id, shard"
        f" ON CONFLICT ({_KEY}) DO UPDATE SET items = scrape_run_counts.items + excluded.items;"
    )
