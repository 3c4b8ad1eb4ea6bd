"""Finds the right answer for a path, as n8n.io or api.n8n.io would give it."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl

from n8n_scraper.sources.n8n.replica.bad_days import INSTEAD, with_other_id
from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.categories import categories_answer
from n8n_scraper.sources.n8n.replica.collection import collection_answer, collections_answer
from n8n_scraper.sources.n8n.replica.error_pages import not_found_page
from n8n_scraper.sources.n8n.replica.pages import template_page
from n8n_scraper.sources.n8n.replica.profiles import author_named
from n8n_scraper.sources.n8n.replica.search import QueryError, Search
from n8n_scraper.sources.n8n.replica.sitemaps import Sitemaps, pages_sitemap, robots_txt
from n8n_scraper.sources.n8n.replica.switches import Switches
from n8n_scraper.testing.replica.answer import GZIP, HTML, JSON, TEXT, XML, Answer

_ANSWERS_IN_MEMORY = 800
_COUNTED_PER_AUTHOR = 2_000
_MOST_IN_WHOLE_CATALOGUE = 5_000
_CLOUDFLARE = {
    "Server": "cloudflare",
    "CF-Cache-Status": "DYNAMIC",
    "NEL": '{"success_fraction":0,"report_to":"cf-nel","max_age":604800}',
    "Strict-Transport-Security": "max-age=0; includeSubDomains",
    "Vary": "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
}
_REASONS = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Page not found",
    410: "Gone",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks for."""

    site_url: str
    path: str
    query: dict[str, str]
    arguments: tuple[str, ...] = ()

    @property
    def id(self) -> int:
        """The id in the path."""
        return int(self.arguments[0])


def encode(value: object) -> bytes:
    """Write JSON the way the API does: compact, in plain UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def error(status: int, url: str, message: str = "Server Error") -> Answer:
    """Tell in JSON that something went wrong."""
    told = {
        "error": True,
        "url": url,
        "statusCode": status,
        "statusMessage": _REASONS.get(status, "Server Error"),
        "message": message,
    }
    return Answer(encode(told), JSON, status)


class Answers:
    """All good answers, and the honest 404s, for one catalogue and one set of switches."""

    def __init__(self, catalogue: Catalogue, switches: Switches) -> None:
        self.catalogue = catalogue
        self.switches = switches
        self._search = Search(catalogue)
        self._sitemaps = Sitemaps(catalogue, switches.sitemap)
        self._encoded = lru_cache(_ANSWERS_IN_MEMORY)(self._encode)
        self._page_body = lru_cache(_ANSWERS_IN_MEMORY)(self._render_page)

    def answer(self, site_url: str, target: str) -> Answer:
        """Answer a path with its query, on either host."""
        path, _, query = target.partition("?")
        if path.startswith("/sitemap"):
            return self._sitemap(site_url, path)
        for pattern, method in _ROUTES:
            if match := pattern.fullmatch(path):
                arguments = tuple(part or "" for part in match.groups())
                asked = Asked(site_url, target, dict(parse_qsl(query)), arguments)
                return method(self, asked)
        return error(404, site_url + target)

    def error(self, status: int, url: str, message: str = "Server Error") -> Answer:
        """Tell in JSON that something went wrong."""
        return error(status, url, message)

    def instead(self, kind: str, answer: Answer) -> Answer | None:
        """Give what this site shows in place of a good answer."""
        make = INSTEAD.get(kind)
        return make(answer) if make else None

    def elsewhere(self, target: str) -> str:
        """Give the path of another template."""
        return with_other_id(target, self._neighbour)

    def headers(self, seq: int) -> Mapping[str, str]:
        """Give those that Cloudflare puts on every answer."""
        ray = f"{seq * 0x9E3779B97F4A7C15 % (1 << 64):016x}-FRA"
        return {**_CLOUDFLARE, "CF-Ray": ray}

    def _neighbour(self, template_id: int) -> int:
        others = self.catalogue.related(template_id, 1) if template_id in self.catalogue else []
        return others[0].id if others else template_id

    def _sitemap(self, site_url: str, path: str) -> Answer:
        if path == "/sitemap-pages.xml":
            return Answer(pages_sitemap(site_url), XML)
        body = self._sitemaps.file(path, site_url)
        if body is None:
            return self._missing_page()
        return Answer(body, GZIP if path.endswith(".gz") else XML)

    def _robots(self, asked: Asked) -> Answer:
        switches = self.switches
        text = robots_txt(asked.site_url, switches.robots_crawl_delay, switches.robots_disallow)
        return Answer(text.encode(), TEXT)

    def _template(self, asked: Asked, shape: str) -> Answer:
        if refusal := self._refusal(asked):
            return refusal
        return Answer(self._encoded(asked.id, shape))

    def _detail(self, asked: Asked) -> Answer:
        return self._template(asked, "detail")

    def _import(self, asked: Asked) -> Answer:
        return self._template(asked, "import_answer")

    def _strapi(self, asked: Asked) -> Answer:
        return self._template(asked, "strapi")

    def _by_id(self, asked: Asked) -> Answer:
        answer = self._template(asked, "by_id")
        return Answer(status=204) if answer.status == 404 else answer

    def _page(self, asked: Asked) -> Answer:
        slug = asked.arguments[1]
        if refusal := self._refusal(asked):
            return self._missing_page() if refusal.status == 404 else refusal
        if slug and slug != self.catalogue.profile(asked.id).slug:
            return self._missing_page()
        return Answer(self._page_body(asked.id, asked.site_url), HTML)

    def _add_slash(self, asked: Asked) -> Answer:
        path, mark, query = asked.path.partition("?")
        return Answer(b"", "text/html", 301, {"Location": f"{path}/{mark}{query}"})

    def _other_page(self, _asked: Asked) -> Answer:
        return self._missing_page()

    def _find(self, asked: Asked) -> Answer:
        try:
            found = self._search.find(asked.query)
        except QueryError as problem:
            return error(400, asked.site_url + asked.path, str(problem))
        items = b",".join(self._encoded(number, "search_item") for number in found.ids)
        facets = encode(self._search.facets())
        body = b'{"totalWorkflows":%d,"workflows":[%b],"filters":%b}' % (found.total, items, facets)
        return Answer(body)

    def _filters(self, _asked: Asked) -> Answer:
        return Answer(encode(self._search.filters_answer()))

    def _whole_catalogue(self, _asked: Asked) -> Answer:
        ids = self.catalogue.ids[:_MOST_IN_WHOLE_CATALOGUE]
        items = b",".join(self._encoded(number, "search_item") for number in ids)
        return Answer(b'{"workflows":[%b]}' % items)

    def _categories(self, _asked: Asked) -> Answer:
        return Answer(encode(categories_answer()))

    def _collections(self, _asked: Asked) -> Answer:
        return Answer(encode(collections_answer(self.catalogue)))

    def _collection(self, asked: Asked) -> Answer:
        told = collection_answer(self.catalogue, asked.id)
        return Answer(encode(told)) if told else error(404, asked.site_url + asked.path)

    def _creator(self, asked: Asked) -> Answer:
        author = author_named(self.catalogue.seed, asked.arguments[0])
        if author is None:
            return error(404, asked.site_url + asked.path)
        profiles = map(self.catalogue.profile, self.catalogue.ids[:_COUNTED_PER_AUTHOR])
        told = {
            "id": author.id,
            "name": author.name,
            "username": author.username,
            "bio": author.bio,
            "verified": author.verified,
            "links": list(author.links),
            "partnerKey": None,
            "avatar": author.avatar,
            "workflowsCount": sum(profile.author.id == author.id for profile in profiles),
            "slug": author.username,
            "url": f"/creators/{author.username}/",
        }
        return Answer(encode({"data": told}))

    def _health(self, _asked: Asked) -> Answer:
        return Answer(encode({"status": "OK"}))

    def _refusal(self, asked: Asked) -> Answer | None:
        template_id = asked.id
        known = template_id in self.catalogue and template_id not in self.switches.dead_ids
        status = self.switches.auth_ids.get(template_id) or (None if known else 404)
        return error(status, asked.site_url + asked.path) if status else None

    def _missing_page(self) -> Answer:
        return Answer(not_found_page(), HTML, self.switches.not_found_status)

    def _encode(self, template_id: int, shape: str) -> bytes:
        # Search still lists templates that are gone, so this does not ask whether it is there.
        return encode(getattr(self.catalogue.template(template_id), shape)())

    def _render_page(self, template_id: int, site_url: str) -> bytes:
        return template_page(self.catalogue, template_id, site_url).encode()


_ID = r"/0*(\d{1,15})"
_ROUTES: tuple[tuple[re.Pattern[str], Callable[[Answers, Asked], Answer]], ...] = tuple(
    (re.compile(pattern), method)
    for pattern, method in (
        (r"(?:/api)?/templates/workflows" + _ID, Answers._detail),
        (r"(?:/api)?/workflows/templates" + _ID, Answers._import),
        (r"/workflows" + _ID + r"(?:-([^/]*))?/", Answers._page),
        (r"/workflows/.*[^/]", Answers._add_slash),
        (r"/workflows/.*", Answers._other_page),
        (r"/robots\.txt", Answers._robots),
        (r"(?:/api)?/templates/search", Answers._find),
        (r"/api/product-api/workflows/search", Answers._find),
        (r"(?:/api)?/templates/search/filters", Answers._filters),
        (r"/api/workflows/by-id" + _ID, Answers._by_id),
        (r"/api/workflows" + _ID, Answers._strapi),
        (r"(?:/api)?/templates/workflows", Answers._whole_catalogue),
        (r"(?:/api)?/templates/categories", Answers._categories),
        (r"(?:/api)?/templates/collections", Answers._collections),
        (r"(?:/api)?/templates/collections" + _ID, Answers._collection),
        (r"(?:/api)?/creators/([\w-]+)", Answers._creator),
        (r"(?:/api)?/health", Answers._health),
    )
)
