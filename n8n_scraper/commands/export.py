"""`scrapy export`: stored items into files that people take away."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.console import leave_unread, refuse, say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.source import Source
from n8n_scraper.exports.exporting import STDOUT, Exported, Order, export
from n8n_scraper.exports.filters import read_filters
from n8n_scraper.exports.formats import Format, all_formats, formats_of, read_format
from n8n_scraper.exports.staging import manifest_of
from n8n_scraper.ledger.address import parse_url
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.policies.safety.redaction import RedactionSettings
from n8n_scraper.records.choosing import Snapshot
from n8n_scraper.sources_file.sources_file_settings import sources_of

SYNTAX = f"[--source NAME] --format {'|'.join(all_formats())} --output PATH [filters]"
_IDS_NAMED = 10
_SIZES = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"), (1, "bytes"))


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Export, and say what came of it."""
    try:
        with Asking(settings) as database:
            order = _order(settings, args, opts, source_meant(database, opts.source))
            exported = database.look(lambda session: export(Snapshot(session, order.source), order))
    except BadInput as error:
        refuse(error)
    except BrokenPipeError:
        leave_unread()
    except OSError as error:
        warn(f"the export broke off, nothing was replaced: {error.strerror or error}.")
        sys.exit(ExitStatus.BROKEN)
    except KeyboardInterrupt:
        warn("stopped; nothing was replaced.")
        sys.exit(ExitStatus.WORK_LEFT)
    for line in _report(order, exported):
        (warn if order.target == STDOUT else say)(line)


def _order(
    settings: BaseSettings, args: list[str], opts: argparse.Namespace, source: Source
) -> Order:
    if args:
        raise BadInput(f"{args[0]!r} means nothing here; write: scrapy export {SYNTAX}")
    names = [option.name for form in all_formats().values() for option in form.options]
    options = {name: getattr(opts, name) for name in names}
    form = read_format(source, opts.format, options)
    if not opts.output:
        raise BadInput("--output is missing; name the file or folder to make.")
    target = _target(opts, form, source)
    _spare_the_database(target, DatabaseSettings.from_settings(settings).url)
    filters = read_filters(vars(opts), utc_now(), source)
    return Order(
        source=source,
        format_name=opts.format,
        format=form,
        target=target,
        filters=filters,
        options=options,
        redaction=RedactionSettings.from_settings(settings).redaction,
        priorities=sources_of(settings).priorities() if filters.one_of_each_cluster else {},
    )


def _target(opts: argparse.Namespace, form: Format, source: Source) -> Path:
    if opts.output != "-":
        return Path(opts.output)
    if not form.streams:
        able = " or ".join(name for name, one in formats_of(source).items() if one.streams)
        raise BadInput(f"--output - takes {able}; for {opts.format} name a file or folder.")
    return STDOUT


def _spare_the_database(target: Path, url: str) -> None:
    database = parse_url(url)
    if database.get_backend_name() == "sqlite" and database.database:
        path = Path(database.database).resolve()
        if target.resolve() in (path, *(Path(f"{path}-{end}") for end in ("wal", "shm"))):
            raise BadInput(f"{target} is the database itself; write elsewhere.")


def _report(order: Order, exported: Exported) -> list[str]:
    lines = []
    if exported.not_stored:
        named = ", ".join(exported.not_stored[:_IDS_NAMED])
        more = ", …" if len(exported.not_stored) > _IDS_NAMED else ""
        lines.append(f"{len(exported.not_stored)} of the ids are not stored: {named}{more}")
    counts = dict(exported.counts)
    refused = counts.pop("refused", 0)
    number, noun = exported.items - refused, order.source.noun
    many = f"1 {noun}" if number == 1 else f"{number} {noun.many}"
    what = many if exported.items else f"No {noun} matches: none"
    to, size = order.target, f"{_size(exported.bytes)}, " if exported.bytes else ""
    beside = "" if to == STDOUT else f"; what is in it and whose: {manifest_of(to)}"
    lines.append(f"{what} written to {to} ({size}{exported.seconds:.1f} s){beside}")
    if refused:
        lines.append(f"{refused} more are left out; the manifest names each, and why.")
    if holding := counts.pop(order.with_secrets, 0):
        lines.append(
            f"{holding} of them hold what looks like a secret, as the site serves it; "
            "-s REDACT=replace takes it out."
        )
    # What is no number is for the manifest.
    numbers = {name: count for name, count in counts.items() if isinstance(count, int | float)}
    said = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in numbers.items())
    return [*lines, f"Of these: {said}."] if said else lines


def _size(count: int) -> str:
    unit, name = next((size for size in _SIZES if count >= size[0]), _SIZES[-1])
    return f"{count / unit:.1f} {name}" if unit > 1 else f"{count} {name}"
