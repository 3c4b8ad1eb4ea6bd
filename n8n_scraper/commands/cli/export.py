"""`scrapy export`: stored templates into files that people take away."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Exports stored templates."""

    def syntax(self) -> str:
        """What may follow the command."""
        from n8n_scraper.commands.export import SYNTAX

        return SYNTAX

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Write stored templates into files: JSON, CSV, Parquet, Markdown, training pairs"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Name the options; what they may be is checked later, in one line each."""
        from n8n_scraper.exports.formats import FORMATS

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
        which.add_argument("--since", metavar="DATE", help="scraped then (UTC) or later")
        which.add_argument("--present", action="store_true", help="those that the site has")
        which.add_argument("--removed", action="store_true", help="those that it had")
        which.add_argument("--ids", metavar="ID,ID", help="these")
        which.add_argument("--limit", metavar="NUMBER", help="at most so many, smallest ids first")
