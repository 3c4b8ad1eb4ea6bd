"""`scrapy export`: stored items into files that people take away."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from n8n_scraper.commands.base import ProjectCommand, add_source

if TYPE_CHECKING:
    from n8n_scraper.exports.formats import Option


class Command(ProjectCommand):
    """Exports stored items."""

    def syntax(self) -> str:
        """What may follow the command."""
        from n8n_scraper.commands.export import SYNTAX

        return SYNTAX

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Write stored items into files: JSON, CSV, Parquet, Markdown, n8n and more"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Name the options; what they may be is checked later, in one line each."""
        from n8n_scraper.exports.formats import all_formats
        from n8n_scraper.exports.of_source import all_filters

        super().add_options(parser)
        add_source(parser)
        formats = all_formats()
        what = parser.add_argument_group("What to write")
        what.add_argument("--format", metavar="NAME", help=", ".join(formats))
        what.add_argument("--output", metavar="PATH", help="the file or folder to make")
        for option in (one for form in formats.values() for one in form.options):
            what.add_argument(f"--{option.name}", help=option.help, **_value_of(option))
        which = parser.add_argument_group("Which items (all must hold; repeat for any of them)")
        for name in (*(one.name for one in all_filters()), "outcome"):
            which.add_argument(f"--{name}", metavar="NAME", action="append")
        which.add_argument("--min-score", metavar="SCORE", help="quality from 0 to 100")
        which.add_argument("--since", metavar="DATE", help="scraped then (UTC) or later")
        which.add_argument(
            "--changed-since", metavar="DATE", help="new, changed, gone or back then or later"
        )
        which.add_argument("--present", action="store_true", help="those that the site has")
        which.add_argument("--removed", action="store_true", help="those that it had")
        which.add_argument("--ids", metavar="ID,ID", help="these")
        which.add_argument(
            "--duplicates", metavar="keep-one", help="one of those that are nearly the same"
        )
        which.add_argument("--limit", metavar="NUMBER", help="at most so many, smallest ids first")


def _value_of(option: Option) -> dict[str, Any]:
    return {"metavar": option.metavar} if option.metavar else {"action": "store_true"}
