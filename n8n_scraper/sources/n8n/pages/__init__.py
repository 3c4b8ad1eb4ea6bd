"""Answers in, typed data out: pure functions, for the spider, for `scrapy shell`, for anybody.

>>> from n8n_scraper.sources.n8n.pages import read_metadata
>>> read_metadata(response.body, asked="1954").title  # doctest: +SKIP
"""

from typing import TYPE_CHECKING

from n8n_scraper.core.late import late

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.pages.categories import read_categories
    from n8n_scraper.sources.n8n.pages.metadata import Metadata, read_metadata
    from n8n_scraper.sources.n8n.pages.page import ExplainerPage, read_page
    from n8n_scraper.sources.n8n.pages.search import SearchPage, read_search
    from n8n_scraper.sources.n8n.pages.sitemap import SitemapPage, read_sitemap
    from n8n_scraper.sources.n8n.pages.workflow_json import WorkflowJson, read_workflow_json

__all__ = [
    "ExplainerPage",
    "Metadata",
    "SearchPage",
    "SitemapPage",
    "WorkflowJson",
    "read_categories",
    "read_metadata",
    "read_page",
    "read_search",
    "read_sitemap",
    "read_workflow_json",
]

__getattr__ = late(
    __name__,
    {
        "read_categories": "categories",
        "Metadata": "metadata",
        "read_metadata": "metadata",
        "ExplainerPage": "page",
        "read_page": "page",
        "SearchPage": "search",
        "read_search": "search",
        "SitemapPage": "sitemap",
        "read_sitemap": "sitemap",
        "WorkflowJson": "workflow_json",
        "read_workflow_json": "workflow_json",
    },
)
