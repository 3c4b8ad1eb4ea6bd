"""Writes robots.txt and the sitemaps, whole or in children of at most 50,000 addresses."""

import gzip
import re
from collections.abc import Iterable
from functools import lru_cache

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue

MOST_URLS_IN_A_FILE = 50_000
_LEAST_CHILDREN_WHEN_SPLIT = 3
_FILES_IN_MEMORY = 4
_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = b'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

_CHILD = re.compile(r"/sitemap-workflows(?:-(\d+))?\.xml(\.gz)?")


class Sitemaps:
    """Answers all that concerns the inventory, in the form the switch asks for."""

    def __init__(self, catalogue: Catalogue, form: str) -> None:
        self._catalogue = catalogue
        self._form = form
        self._child = lru_cache(_FILES_IN_MEMORY)(self._write_child)

    def file(self, path: str, site_url: str) -> bytes | None:
        """Return the file at a path, or nothing if there is none."""
        if path == "/sitemap_index.xml":
            return self._child(0, site_url) if self._form == "flat" else self._index(site_url)
        match = _CHILD.fullmatch(path)
        if not match or path not in self._paths():
            return None
        body = self._child(int(match[1] or 1) - 1, site_url)
        return gzip.compress(body, 1, mtime=0) if match[2] else body

    def _paths(self) -> list[str]:
        ending = ".xml.gz" if self._form == "gzip" else ".xml"
        children = self._children()
        if children == 1:
            return [f"/sitemap-workflows{ending}"]
        return [f"/sitemap-workflows-{number}{ending}" for number in range(1, children + 1)]

    def _children(self) -> int:
        if self._form == "flat":
            return 1
        needed = -(-len(self._catalogue.ids) // MOST_URLS_IN_A_FILE)
        return max(needed, _LEAST_CHILDREN_WHEN_SPLIT if self._form == "split" else 1)

    def _index(self, site_url: str) -> bytes:
        other = f"<sitemap><loc>{site_url}/sitemap-pages.xml</loc></sitemap>"
        entries = "".join(
            f"<sitemap><loc>{site_url}{path}</loc></sitemap>" for path in self._paths()
        )
        return b"%b<sitemapindex %b>%b</sitemapindex>" % (
            _HEAD,
            _NAMESPACE,
            (other + entries).encode(),
        )

    def _write_child(self, number: int, site_url: str) -> bytes:
        ids = self._catalogue.ids
        size = -(-len(ids) // self._children()) or 1
        profile = self._catalogue.profile
        entries = "".join(
            f"<url><loc>{site_url}{profile(template_id).path}</loc></url>"
            for template_id in ids[number * size : (number + 1) * size]
        )
        return b"%b<urlset %b>%b</urlset>" % (_HEAD, _NAMESPACE, entries.encode())


def pages_sitemap(site_url: str) -> bytes:
    """Write the sitemap of everything that is not a template; a crawl has no use for it."""
    paths = ("/", "/pricing/", "/creators/", "/integrations/google-sheets/")
    entries = "".join(f"<url><loc>{site_url}{path}</loc></url>" for path in paths)
    return b"%b<urlset %b>%b</urlset>" % (_HEAD, _NAMESPACE, entries.encode())


def robots_txt(site_url: str, crawl_delay_s: float | None, disallowed: Iterable[str] = ()) -> str:
    """Write robots.txt as the site does, with what else a switch puts into it."""
    forbidden = "".join(f"Disallow: {path}\n" for path in ("/cdn-cgi/", *disallowed))
    delay = "" if crawl_delay_s is None else f"Crawl-delay: {crawl_delay_s:g}\n"
    return f"User-agent: *\n{forbidden}{delay}\nSitemap: {site_url}/sitemap_index.xml\n"
