"""Runs the stand-in of n8n.io: ``python -m n8n_scraper.sources.n8n.replica``."""

import argparse
import sys
from typing import NoReturn

from n8n_scraper.sources.n8n.replica.cli import add_arguments, complain, serve_until_stopped


class OneLineParser(argparse.ArgumentParser):
    """Complains in one line, without the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong and end."""
        sys.exit(complain(message))


def main() -> int:
    """Read the command line and serve."""
    parser = OneLineParser(prog="python -m n8n_scraper.sources.n8n.replica", description=__doc__)
    add_arguments(parser)
    return serve_until_stopped(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
