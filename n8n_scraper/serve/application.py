"""Put the application together: who is let in, what can be asked, of which archive."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module

from aiohttp import web

from n8n_scraper.policies.safety.guesses import Guesses
from n8n_scraper.serve import api, assistants, metrics, operator, people, pictures
from n8n_scraper.serve.archive import ARCHIVE, Archive
from n8n_scraper.serve.guard import login
from n8n_scraper.serve.guard.door import GUESSES, door
from n8n_scraper.serve.guard.headers import add_headers
from n8n_scraper.serve.live.streams import end_streams, keep_streams
from n8n_scraper.serve.options import OPTIONS, ServeOptions
from n8n_scraper.serve.pages import static_files
from n8n_scraper.serve.pages.navigation import LINKS
from n8n_scraper.serve.problems import answer_problems
from n8n_scraper.sources import all_sources

CAPABILITIES = (operator, people, pictures, metrics, api, assistants)
"""What can be asked: each a module with `add_to(app)`, in the order of the navigation."""

_LONGEST_BODY = 8 * 1024 * 1024


def make_application(archive: Archive, options: ServeOptions) -> web.Application:
    """Make the application over an archive, which is closed with it."""
    app = web.Application(
        middlewares=[answer_problems, door(options.house)], client_max_size=_LONGEST_BODY
    )
    app[ARCHIVE] = archive
    app[OPTIONS] = options
    app[GUESSES] = Guesses()
    app[LINKS] = []
    app.on_response_prepare.append(add_headers)
    app.cleanup_ctx.append(keep_streams)
    app.on_shutdown.append(end_streams)
    app.cleanup_ctx.append(_close_archive)
    for part in (static_files, login, *CAPABILITIES):
        part.add_to(app)
    for source in all_sources():
        if source.pages is not None:
            import_module(source.pages).add_to(app, source)
    return app


async def _close_archive(app: web.Application) -> AsyncIterator[None]:
    yield
    app[ARCHIVE].close()
