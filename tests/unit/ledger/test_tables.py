"""What the reference says of the tables is what they are."""

from pathlib import Path

import pytest

from tests.every_table import METADATA

REFERENCE = (Path(__file__).parents[3] / "docs/reference/tables.md").read_text()
SECTIONS = {part.split("`")[1]: part for part in REFERENCE.split("\n## ")[1:] if part[0] == "`"}


@pytest.mark.parametrize("table", METADATA.tables)
def test_every_column_of_every_table_is_named(table: str) -> None:
    columns = [column.name for column in METADATA.tables[table].columns]

    assert [name for name in columns if f"`{name}`" not in SECTIONS[table]] == []
