"""Answer n8n's template browser, at an address for everybody and at one with credentials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

import msgspec
from aiohttp import web

from n8n_scraper.core.errors import BadInput, NoArchive
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.serve import pictures
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.asked_at import asked_at
from n8n_scraper.serve.guard import open_to
from n8n_scraper.serve.numbers import whole_number
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.problems import Problem
from n8n_scraper.sources.n8n.host.answers import Json
from n8n_scraper.sources.n8n.host.asked import Asked
from n8n_scraper.sources.n8n.host.origins import answer_to
from n8n_scraper.sources.n8n.host.shelf import Shelf

OPEN = "/api.n8n.io"
"""n8n sends no cookie to an address in which this stands, and takes an answer that all may read."""
WITH_CREDENTIALS = "/n8n-templates"
"""For those that cannot use the other one: only pages that we know may read what is answered."""

_NUMBER = "[1-9][0-9]{0,17}"


def add_to(app: web.Application, source: Source) -> None:
    """Add all that the browser asks for at both addresses, also with a key in the address."""
    for place in (OPEN, WITH_CREDENTIALS):
        for base in (place, f"{place}/key/{{key}}"):
            _Host(source, base).add_to(app)
    app.on_response_prepare.append(_let_pages_read)


async def _let_pages_read(request: web.Request, answer: web.StreamResponse) -> None:
    """Allow it on every answer, errors included: what is not allowed looks like no network."""
    is_open = _is_below(OPEN, request.path)
    if is_open or _is_below(WITH_CREDENTIALS, request.path):
        known = request.app[OPTIONS].origins
        answer.headers.update(answer_to(request.headers.get("Origin"), known, open_to_all=is_open))


def _is_below(place: str, path: str) -> bool:
    return path.startswith(f"{place}/")


@dataclass(frozen=True, slots=True)
class _Host:
    """What is answered below one address."""

    source: Source
    base: str

    def add_to(self, app: web.Application) -> None:
        for path, handler in (
            ("/health", self.health),
            ("/templates/categories", self.categories),
            ("/templates/search", self.search),
            ("/templates/collections", self.collections),
            (f"/templates/collections/{{id:{_NUMBER}}}", self.collection),
            (f"/templates/workflows/{{id:{_NUMBER}}}", self.template),
            (f"/workflows/templates/{{id:{_NUMBER}}}", self.importable),
            (r"/pictures/{name:[0-9a-f]+\.[a-z]+}", pictures.show),
        ):
            app.router.add_get(self.base + path, handler)
            app.router.add_route("OPTIONS", self.base + path, self.may_ask)

    @open_to(Openness.OTHER_SITES)
    async def may_ask(self, _request: web.Request) -> web.Response:
        """Let a page ask; with what, the headers say that every answer has."""
        return web.Response(status=HTTPStatus.NO_CONTENT)

    @open_to(Openness.OTHER_SITES)
    async def health(self, _request: web.Request) -> web.Response:
        """Say that we are there."""
        return web.json_response({"status": "OK"})

    @open_to(Openness.OTHER_SITES)
    async def categories(self, request: web.Request) -> web.Response:
        """Give the categories to choose from."""
        return await self._answer(request, Shelf.categories)

    @open_to(Openness.OTHER_SITES)
    async def search(self, request: web.Request) -> web.Response:
        """Give a page of the templates that are looked for."""
        asked = Asked.of(request.query)
        return await self._answer(request, lambda shelf: shelf.search(asked))

    @open_to(Openness.OTHER_SITES)
    async def collections(self, request: web.Request) -> web.Response:
        """Give the collections."""
        words = request.query.get("search", "").strip()
        numbers = [*request.query.getall("category[]", []), *request.query.getall("category", [])]
        wanted = [number for one in numbers if (number := whole_number(one)) is not None]
        return await self._answer(request, lambda shelf: shelf.collections(words, wanted))

    @open_to(Openness.OTHER_SITES)
    async def collection(self, request: web.Request) -> web.Response:
        """Give a collection with its templates."""
        number = int(request.match_info["id"])
        return await self._answer(request, lambda shelf: shelf.collection(number))

    @open_to(Openness.OTHER_SITES)
    async def template(self, request: web.Request) -> web.Response:
        """Give a template whole."""
        item_id = request.match_info["id"]
        return await self._answer(request, lambda shelf: shelf.template(item_id))

    @open_to(Openness.OTHER_SITES)
    async def importable(self, request: web.Request) -> web.Response:
        """Give what n8n puts on its canvas."""
        item_id = request.match_info["id"]
        return await self._answer(request, lambda shelf: shelf.importable(item_id))

    async def _answer(
        self, request: web.Request, work: Callable[[Shelf], Json | None]
    ) -> web.Response:
        base = (
            f"{asked_at(request).origin()}{self.base.format(key=request.match_info.get('key', ''))}"
        )

        def all_of_it(database: Database) -> bytes | None:
            shelf = Shelf(
                database, self.source, lambda one: f"{base}/pictures/{pictures.name_of(one)}"
            )
            found = work(shelf)
            return None if found is None else msgspec.json.encode(found)

        try:
            body = await request.app[ARCHIVE].look(all_of_it)
        except BadInput as error:
            is_there = not isinstance(error, NoArchive)
            status = HTTPStatus.CONFLICT if is_there else HTTPStatus.NOT_FOUND
            # n8n shows a person what stands under this name.
            raise Problem(status, str(error), message=str(error)) from None
        if body is None:
            sentence = "The archive has no such template."
            raise Problem(HTTPStatus.NOT_FOUND, sentence, message=sentence)
        return web.Response(body=body, content_type="application/json")
