"""Typed columns for analysis: Parquet out, as an export and as a feed format, and back in."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from pathlib import Path
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports.moments import moment_of, times_of
from n8n_scraper.exports.of_source import exports_of
from n8n_scraper.exports.writer import holds_something
from n8n_scraper.sources import source_of_item, source_with_key_in

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from scrapy.crawler import Crawler

    from n8n_scraper.core.source import Source
    from n8n_scraper.exports.columns import Shape

# A row group ends at whichever comes first, so that a few huge items do not fill the memory.
_ROWS_IN_A_GROUP = 1_000
_SIGNS_IN_A_GROUP = 16_000_000
_ITEMS_AT_ONCE = 50


class ParquetItemExporter(BaseItemExporter):
    """Writes items as rows, a row group at a time, compressed by Zstandard.

    A group is compressed and written while the rows of the next one are gathered, on another core
    where there is one; whatever goes wrong with it is told by the next group or at the end.
    The columns of a source's items are known, and it is the source of the first item where none is
    named; those of any other item are what its first row group holds.
    """

    def __init__(self, file: BinaryIO, *, source: Source | None = None, **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        if holds_something(file):
            raise BadInput("a Parquet file cannot be appended to; write -O instead of -o.")
        self.file = file
        self._source = source
        self._rows: list[dict[str, Any]] = []
        self._signs = 0
        self._shapes: dict[str, Shape] | None = None
        self._times: dict[str, str] = {}
        self._schema: pa.Schema | None = None
        self._writer: pq.ParquetWriter | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="parquet")
        self._writing: Future[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, file: BinaryIO, **options: Any) -> Self:
        """Know the columns of a feed also where no item comes."""
        return cls(file, source=getattr(crawler.spidercls, "source", None), **options)

    def export_item(self, item: Any) -> None:
        """Add a row."""
        if self._schema is None and not self._rows and (source := source_of_item(item)):
            self._open_for(source)
        row = self._row(item)
        self._rows.append(row)
        self._signs += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(self._rows) >= _ROWS_IN_A_GROUP or self._signs >= _SIGNS_IN_A_GROUP:
            self._end_group()

    def finish_exporting(self) -> None:
        """Write the rows that are left, and the end of the file."""
        if self._rows:
            self._end_group()
        if self._writer is None:
            self._open_without_rows()
        assert self._writer is not None
        self._await_group()
        self._thread.shutdown()
        self._writer.close()

    def abandon(self) -> None:
        """Let go of a file that will not be finished; nobody is to read it."""
        self._thread.shutdown()
        if self._writer is None:
            return
        with suppress(Exception):
            self._writer.close()
        self._writer.is_open = False  # else it tries once more when it is forgotten

    def _open_for(self, source: Source) -> None:
        self._source = source
        self._shapes = _chosen(source, self.fields_to_export)
        self._times = times_of(source, self._shapes)
        self._open(_schema(self._shapes, self._times, exports_of(source).schema_version))

    def _open_without_rows(self) -> None:
        import pyarrow as pa

        if self._source is not None:
            self._open_for(self._source)
        else:  # nothing says which columns there could have been
            self._open(pa.schema([]))

    def _open(self, schema: pa.Schema) -> None:
        # Only a crawl or an export that writes Parquet pays for this import.
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(self.file, schema, compression="zstd")
        self._schema = schema

    def _row(self, item: Any) -> dict[str, Any]:
        if self._shapes is None:
            given: dict[str, Any] = ItemAdapter(item).asdict()
            wanted = given if self.fields_to_export is None else self.fields_to_export
            row = {name: given[name] for name in wanted if name in given}
            if self._schema is not None and (late := row.keys() - set(self._schema.names)):
                raise BadInput(f"no row before had {min(late)}, and it is too late for a column.")
            return row
        assert self._source is not None
        kind = self._source.kind().item
        if not isinstance(item, kind):
            item = kind.model_validate(ItemAdapter(item).asdict())
        fields = vars(item)
        row = {name: shape.filled(fields[name]) for name, shape in self._shapes.items()}
        return row | {time: moment_of(fields[name]) for name, time in self._times.items()}

    def _columns(self) -> dict[str, list[Any]]:
        """Turn the rows into columns; what a row does not have is empty in it."""
        known = [] if self._schema is None else self._schema.names
        names = dict.fromkeys(chain(known, *self._rows))
        return {name: [row.get(name) for row in self._rows] for name in names}

    def _end_group(self) -> None:
        import pyarrow as pa

        try:
            table = pa.Table.from_pydict(self._columns(), schema=self._schema)
            if self._writer is None:
                self._open(_with_room(table.schema))
            assert self._writer is not None
            whole = table.cast(self._schema)
            self._await_group()
            self._writing = self._thread.submit(self._writer.write_table, whole)
        except (OverflowError, pa.ArrowException) as error:
            raise BadInput(f"{self._culprit()} does not fit the columns: {error}.") from None
        finally:
            # Also what could not be written is dropped: it would come again and again.
            self._rows, self._signs = [], 0

    def _await_group(self) -> None:
        """Wait until the group that is being written is in the file; raises why it is not."""
        if self._writing is not None:
            writing, self._writing = self._writing, None
            writing.result()

    def _culprit(self) -> str:
        """Name the item whose row cannot be written."""
        import pyarrow as pa

        for row in self._rows:
            try:
                pa.Table.from_pylist([row], schema=self._schema)
            except (OverflowError, pa.ArrowException):
                source = self._source if self._shapes else None
                return f"{source.noun} {row.get(source.key)}" if source else shortened(row)
        return "a row group"


def read_parquet(path: Path | str) -> Iterator[Any]:
    """Give what is in a Parquet file back as the items they were, one at a time."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        if not file.metadata.num_rows:  # nor need there be columns
            return
        names = file.schema_arrow.names
        source = source_with_key_in(names)
        kind, shapes = source.kind().item, _chosen(source, names)
        for batch in file.iter_batches(batch_size=_ITEMS_AT_ONCE):
            for row in batch.to_pylist():
                yield kind.model_validate(
                    {name: shape.out_of(row[name]) for name, shape in shapes.items()}
                )


def _chosen(source: Source, names: Any) -> dict[str, Shape]:
    from n8n_scraper.exports.columns import shapes

    every = shapes(source.kind().item)
    return every if names is None else {name: every[name] for name in names if name in every}


def _schema(columns: dict[str, Shape], times: dict[str, str], version: int) -> pa.Schema:
    import pyarrow as pa

    fields = [pa.field(name, shape.type) for name, shape in columns.items()]
    fields += [pa.field(time, pa.timestamp("ms")) for time in times.values()]
    return pa.schema(fields, metadata={"n8n_scraper.schema_version": str(version)})


def _with_room(schema: pa.Schema) -> pa.Schema:
    """Make a column text in which nothing has stood so far, so that something may follow."""
    import pyarrow as pa

    fields = [one.with_type(pa.string()) if pa.types.is_null(one.type) else one for one in schema]
    return pa.schema(fields)
