"""Runs the stand-in of n8n.io: ``python -m n8n_scraper.sources.n8n.replica``."""

import sys

from n8n_scraper.sources.n8n.replica.script import SCRIPT
from n8n_scraper.testing.replica.cli import main

if __name__ == "__main__":
    sys.exit(main(SCRIPT))
