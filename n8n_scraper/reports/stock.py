"""Name where the items of a source are stored, for reports that look at the items themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Table


@dataclass(frozen=True, slots=True)
class Stock:
    """The items of a source in the database."""

    source: str
    key: str
    """The field that tells its items apart."""
    table: Table

    @property
    def ids(self) -> ColumnElement[str]:
        """The column of the ids."""
        return self.table.c[self.key]

    def column(self, name: str) -> ColumnElement[Any]:
        """Give a column of the items."""
        return self.table.c[name]
