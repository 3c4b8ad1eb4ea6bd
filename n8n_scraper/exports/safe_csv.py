"""Tables for spreadsheets, in which no cell runs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, BinaryIO

from scrapy.exporters import CsvItemExporter

from n8n_scraper.core.item import Item
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.exports.writer import holds_something

_RUNNING = "=+-@\t\r\n"
# Spreadsheets drop these before they look at a cell's first sign; categories: separators, control
# and format signs.
_QUOTES = "'\"`´‘’“”«»"
_UNSEEN = ("Z", "Cc", "Cf")
_QUOTED = re.compile('[",\r\n]')
_EXCEL_CELL = 32_767
_CUT = " … [cut]"


class SafeCsvItemExporter(CsvItemExporter):
    """Writes a row an item, as RFC 4180 says; what is composed stands as JSON in its cell.

    A text that a spreadsheet would run gets an apostrophe before it. For Excel the file says that
    it is UTF-8, and longer texts than a cell of Excel takes are cut. Rows that are added to a file
    go on below its own header.
    """

    def __init__(self, file: BinaryIO, *, excel: bool = False, **options: Any) -> None:
        if excel:
            options["encoding"] = "utf-8-sig"
        if holds_something(file):
            options["include_headers_line"] = False
        super().__init__(file, **options)  # type: ignore[arg-type] # any binary file does
        self._has_rows = False
        self.counts = {"cells_cut": 0} if excel else {}

    def export_item(self, item: Any) -> None:
        """Add a row; the fields of an item of ours are at hand, and need no adapter to be found."""
        names = self.fields_to_export
        is_usual = isinstance(item, Item) and not (isinstance(names, dict) or self._kwargs)
        if not self._has_rows or not is_usual:
            self._has_rows = True
            super().export_item(item)
            return
        cells = (self.serialize_field({}, name, getattr(item, name)) for name in names or ())
        # Readers skip an empty line: one empty cell alone is written as such.
        self.stream.write((",".join(map(_quoted, cells)) or '""') + "\r\n")

    def serialize_field(self, field: Mapping[str, Any], name: str, value: Any) -> Any:
        """Give the cell of a field."""
        text = cell(value)
        if self.counts and isinstance(text, str) and len(text) > _EXCEL_CELL // 2:
            return self._cut(text)
        return text

    def finish_exporting(self) -> None:
        """Name the columns also where there was no row."""
        if not self._has_rows and self.include_headers_line and (names := self.fields_to_export):
            self.csv_writer.writerow(names.values() if isinstance(names, dict) else names)
        super().finish_exporting()

    def _cut(self, text: str) -> str:
        units = text.encode("utf-16-le")
        if len(units) <= 2 * _EXCEL_CELL:
            return text
        self.counts["cells_cut"] += 1
        kept = units[: 2 * (_EXCEL_CELL - len(_CUT))]
        return kept.decode("utf-16-le", errors="ignore") + _CUT


def _quoted(value: Any) -> str:
    """Write a cell as Python's own writer does, which looks at one sign after the other."""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def cell(value: Any) -> Any:
    """Give a value as a cell: numbers as they are, null as nothing, all else as harmless text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    return harmless(str(value) if isinstance(value, str) else json_text(value))


def harmless(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run; leave every other as it is."""
    return f"'{text}" if text[:1] in ("\t", "\r", "\n") or _runs(text) else text


def _runs(text: str) -> bool:
    for sign in text:
        if sign in _QUOTES or unicodedata.category(sign).startswith(_UNSEEN):
            continue
        # Full-width and other forms of the same signs count as the signs.
        return unicodedata.normalize("NFKC", sign)[:1] in _RUNNING
    return False
