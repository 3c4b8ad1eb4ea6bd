"""Let all who ask a domain share its pace, live.

Revision ID: 0014
Revises: 0013
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_SLOWEST_TOLD = 1.0
"""Requests a second: how fast a bucket fills was in no table, and ours fill faster by default."""


def _kept() -> list[sa.Column[Any]]:
    return [
        sa.Column("held_until", sa.Double(), nullable=False),
        sa.Column("learned_rate", sa.Double(), nullable=True),
        sa.Column("circuit_failures", sa.BigInteger(), nullable=False),
        sa.Column("circuit_opened_at", sa.Double(), nullable=True),
        sa.Column("circuit_hold_seconds", sa.Double(), nullable=False),
        sa.Column("circuit_reason", sa.Text(), nullable=False),
        sa.Column("circuit_tripped_by", sa.Text(), nullable=False),
        sa.Column("reset_at", sa.Text(), nullable=True),
    ]


def _old() -> list[sa.Column[Any]]:
    return [
        sa.Column("tokens", sa.Double(), nullable=False),
        sa.Column("tokens_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Text(), nullable=False),
    ]


def _new() -> list[sa.Column[Any]]:
    return [
        sa.Column("next_at", sa.Double(), nullable=False),
        sa.Column("learned_borne", sa.Double(), nullable=False),
        sa.Column("learned_price", sa.Double(), nullable=True),
        sa.Column("answers", sa.BigInteger(), nullable=False),
        sa.Column("answers_since", sa.Double(), nullable=True),
        sa.Column("circuit_failed_paths", sa.BigInteger(), nullable=False),
        sa.Column("circuit_closed_at", sa.Double(), nullable=False),
        sa.Column("circuit_host", sa.Text(), nullable=False),
        sa.Column("circuit_witnessed", sa.Boolean(), nullable=False),
        sa.Column("circuit_probe", sa.Text(), nullable=False),
        sa.Column("circuit_probe_at", sa.Double(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("noted_at", sa.Double(), nullable=False),
    ]


def upgrade() -> None:
    """Give each bucket the moment of its next token; circuits and the server's word stay."""
    _replace(_new(), _now_shared)


def downgrade() -> None:
    """Give each bucket its one token of that moment."""
    _replace(_old(), _each_for_itself)


def _replace(columns: list[sa.Column[Any]], made_of: Callable[[Any], dict[str, Any]]) -> None:
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT * FROM domains")).mappings().all()
    op.drop_table("domains")
    table = op.create_table(
        "domains",
        sa.Column("domain", sa.Text(), nullable=False),
        *_kept(),
        *columns,
        sa.PrimaryKeyConstraint("domain", name="pk_domains"),
    )
    names = {"domain", *(column.name for column in _kept())}
    op.bulk_insert(
        table,
        [{name: row[name] for name in names} | made_of(row) for row in rows],
    )


def _now_shared(row: Any) -> dict[str, Any]:
    missing = max(0.0, 1 - row["tokens"]) / (row["learned_rate"] or _SLOWEST_TOLD)
    return {
        "next_at": max(row["tokens_at"] + missing, row["held_until"]),
        "learned_borne": 0.0,
        # One that has complained before says more by its next complaint.
        "learned_price": None if row["learned_rate"] is None else 1.0,
        "answers": 0,
        "answers_since": None,
        "circuit_failed_paths": row["circuit_failures"],
        "circuit_closed_at": 0.0,
        "circuit_host": "",
        "circuit_witnessed": False,
        "circuit_probe": "",
        "circuit_probe_at": 0.0,
        "epoch": 0,
        "revision": 1,
        "noted_at": datetime.fromisoformat(row["updated_at"]).timestamp(),
    }


def _each_for_itself(row: Any) -> dict[str, Any]:
    moment = datetime.fromtimestamp(row["noted_at"], UTC).isoformat(timespec="milliseconds")
    return {
        "tokens": 1.0,
        "tokens_at": row["next_at"],
        "updated_at": moment.replace("+00:00", "Z"),
    }
