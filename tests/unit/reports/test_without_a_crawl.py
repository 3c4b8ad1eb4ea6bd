"""What a page or a program has to load that shows reports."""

import subprocess
import sys
from pkgutil import iter_modules

import n8n_scraper.reports

OF_A_CRAWL_OR_A_TERMINAL = ("scrapy", "twisted", "rich", "alembic", "n8n_scraper.crawl")


def test_reports_load_neither_a_crawl_nor_a_terminal() -> None:
    found = iter_modules(n8n_scraper.reports.__path__, "n8n_scraper.reports.")
    names = [module.name for module in found]
    assert len(names) > 1

    work = f"import sys, {', '.join(names)}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", work], capture_output=True, text=True, check=True
    ).stdout.split()

    assert [name for name in OF_A_CRAWL_OR_A_TERMINAL if name in loaded] == []
