"""`scrapy search WORDS`: find stored items by their words."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Finds items, counts what they have, and makes the index anew."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[<words>] [--FACET VALUE] [--facets | --list FACET] [--json] | --rebuild"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Find stored items by their words, and narrow that down"

    def long_desc(self) -> str:
        """The grammar, in one sentence."""
        return (
            "Find stored items. All words must be there, in any of their forms; "
            '"words in quotes" one behind the other; -words not; begin* as a beginning.'
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Name the options; what they may be is checked later, in one line each."""
        from n8n_scraper.core.searched import REMOVED
        from n8n_scraper.search.facets import all_facets

        super().add_options(parser)
        add_source(parser)
        narrow = parser.add_argument_group("Narrow it down (all must hold; repeat for any of them)")
        for facet in all_facets():
            if facet is REMOVED:
                narrow.add_argument("--removed", action="store_true", help="only what was removed")
                narrow.add_argument("--present", action="store_true", help="only what was not")
            else:
                narrow.add_argument(
                    f"--{facet.name}", metavar="NAME", action="append", help=facet.words
                )
        show = parser.add_argument_group("What to show")
        show.add_argument("--order", metavar="ORDER", help="relevance, newest, views or score")
        show.add_argument("--limit", metavar="NUMBER", help="at most so many, default 10")
        show.add_argument("--offset", metavar="NUMBER", help="pass over so many")
        show.add_argument("--facets", action="store_true", help="count what the found ones have")
        show.add_argument("--list", metavar="FACET", help="all values of one facet, with counts")
        show.add_argument("--json", action="store_true", help="one JSON object for machines")
        parser.add_argument("--rebuild", action="store_true", help="make the index anew")
