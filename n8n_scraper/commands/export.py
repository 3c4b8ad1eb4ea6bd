"""`scrapy export`: stored templates into files that people take away."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.commands import ScrapyCommand

from n8n_scraper.asking import look
from n8n_scraper.clock import utc_now
from n8n_scraper.console import refuse, say, warn
from n8n_scraper.errors import BadInput
from n8n_scraper.exports.exporting import Exported, Order, export
from n8n_scraper.exports.filters import read_filters
from n8n_scraper.exports.formats import FORMATS, read_format
from n8n_scraper.exports.staging import manifest_of
from n8n_scraper.policies.ending import ExitStatus
from n8n_scraper.storage.database import parse_url

_IDS_NAMED = 10
_SIZES = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"), (1, "bytes"))


class Command(ScrapyCommand):
    """Exports stored templates."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012 - Scrapy's declaration

    def syntax(self) -> str:
        """What may follow the command."""
        return f"--format {'|'.join(FORMATS)} --output PATH [filters]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Write stored templates into files: JSON, CSV, Parquet, Markdown, training pairs"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Name the options; what they may be is checked later, in one line each."""
        super().add_options(parser)
        what = parser.add_argument_group("What to write")
        what.add_argument("--format", metavar="NAME", help=", ".join(FORMATS))
        what.add_argument("--output", metavar="PATH", help="the file or folder to make")
        what.add_argument("--excel", action="store_true", help="csv: made for Excel")
        what.add_argument("--validation", metavar="SHARE", help="finetune: default 0.1")
        what.add_argument("--seed", metavar="NUMBER", help="finetune: default 0")
        which = parser.add_argument_group("Which templates (all must hold; repeat for any of them)")
        for name in ("category", "author", "node", "trigger", "outcome"):
            which.add_argument(f"--{name}", metavar="NAME", action="append")
        which.add_argument("--min-score", metavar="SCORE", help="quality from 0 to 100")
        which.add_argument("--since", metavar="DATE", help="scraped then or later")
        which.add_argument("--ids", metavar="ID,ID", help="these")
        which.add_argument("--limit", metavar="NUMBER", help="at most so many, smallest ids first")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Export, and say what came of it."""
        assert self.settings is not None
        try:
            order = self._order(args, opts)
            exported = look(self.settings, lambda session: export(session, order))
        except BadInput as error:
            refuse(error)
        except OSError as error:
            warn(f"the export broke off, nothing was replaced: {error.strerror or error}.")
            sys.exit(ExitStatus.BROKEN)
        except KeyboardInterrupt:
            warn("stopped; nothing was replaced.")
            sys.exit(ExitStatus.WORK_LEFT)
        for line in _report(order, exported):
            say(line)

    def _order(self, args: list[str], opts: argparse.Namespace) -> Order:
        assert self.settings is not None
        if args:
            raise BadInput(f"{args[0]!r} means nothing here; write: scrapy export {self.syntax()}")
        options = {name: getattr(opts, name) for name in ("excel", "validation", "seed")}
        form = read_format(opts.format, options)
        if not opts.output:
            raise BadInput("--output is missing; name the file or folder to make.")
        target = Path(opts.output)
        _spare_the_database(target, self.settings["DATABASE_URL"])
        return Order(
            format_name=opts.format,
            format=form,
            target=target,
            filters=read_filters(vars(opts), utc_now()),
            options=options,
            redaction=self.settings.get("N8N_REDACT", "report"),
        )


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
    number = exported.templates
    many = "1 template" if number == 1 else f"{number} templates"
    what = many if number else "No template matches: none"
    lines.append(
        f"{what} written to {order.target} ({_size(exported.bytes)}, {exported.seconds:.1f} s); "
        f"what is in it and whose: {manifest_of(order.target)}"
    )
    said = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in exported.counts.items())
    return [*lines, f"Of these: {said}."] if said else lines


def _size(count: int) -> str:
    unit, name = next((size for size in _SIZES if count >= size[0]), _SIZES[-1])
    return f"{count / unit:.1f} {name}" if unit > 1 else f"{count} {name}"
