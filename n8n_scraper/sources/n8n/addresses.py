"""The addresses of the site and its API, relative to the two bases from the settings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode, urlsplit

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.typed_settings import Given, TypedSettings, address
from n8n_scraper.policies.safety.origin import origin_of
from n8n_scraper.sources.n8n.parts import Layer

SEARCH_ROWS = 100  # the most that the API gives on one page
MOST_SEARCH_PAGES = 1_000  # eight times what the whole site would fill


@dataclass(frozen=True, slots=True)
class Addresses(TypedSettings):
    """Builds every address that the spider asks for."""

    site: str
    api: str

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `N8N_SITE_URL` and `N8N_API_URL`."""
        return cls(address(settings, "N8N_SITE_URL"), address(settings, "N8N_API_URL"))

    @property
    def inventory(self) -> str:
        """Where the inventory begins."""
        return f"{self.site}/sitemap_index.xml"

    @property
    def flat_inventory(self) -> str:
        """The file that the index names; asked for directly where there is no index."""
        return f"{self.site}/sitemap-workflows.xml"

    def search(self, category: str, page: int) -> str:
        """One page of the templates of a category, in an order that stays while we read."""
        query = {"category": category, "page": page, "rows": SEARCH_ROWS, "sort": "createdAt:asc"}
        return f"{self.api}/api/templates/search?{urlencode(query)}"

    @property
    def categories(self) -> str:
        """The names by which a search finds templates."""
        return f"{self.api}/api/templates/categories"

    def of(self, layer: Layer, planned: Planned) -> str:
        """Where a layer of a template stands."""
        if layer is Layer.METADATA:
            return f"{self.api}/api/templates/workflows/{planned.item_id}"
        if layer is Layer.JSON:
            return f"{self.api}/api/workflows/templates/{planned.item_id}"
        slug = f"-{name}" if (name := planned.listing.get("slug")) else ""
        return f"{self.site}/workflows/{planned.item_id}{slug}/"

    def layer_at(self, url: str) -> tuple[Layer, Planned] | None:
        """Which layer of which template an address stands for; None where it is neither."""
        for layer, base, path in (
            (Layer.METADATA, self.api, r"/api/templates/workflows/(\d+)"),
            (Layer.JSON, self.api, r"/api/workflows/templates/(\d+)"),
            (Layer.EXPLAINER, self.site, r"/workflows/(\d+)(?:-([^/?#]+))?"),
        ):
            if found := re.fullmatch(re.escape(base) + path + r"/?(?:[?#].*)?", url):
                slug = found[2] if layer is Layer.EXPLAINER else None
                return layer, Planned(found[1], listing={"slug": slug} if slug else {})
        return None

    def has(self, url: str) -> bool:
        """Whether an address belongs to the site or its API."""
        return origin_of(url) in (origin_of(self.site), origin_of(self.api))

    def on_site(self, url: str) -> str:
        """Keep to our base whatever host a sitemap names, so that a copy never leads elsewhere.

        Only path and query are taken, behind a slash of our own: `.evil.example/x` glued to the
        base would be another host, and `:99999/x` a port of it.
        """
        parts = urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        return f"{self.site}/{parts.path.lstrip('/')}{query}"
