"""The page that says how n8n is told to ask the archive."""

from __future__ import annotations

from aiohttp import web

from n8n_scraper.serve.asked_at import asked_at
from n8n_scraper.serve.guard.tokens import key_of
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.pages import render
from n8n_scraper.serve.pages.navigation import add_link
from n8n_scraper.sources.n8n.host.routes import OPEN

_PATH = "/in-n8n"


def add_to(app: web.Application) -> None:
    """Add it."""
    app.router.add_get(_PATH, show)
    add_link(app, _PATH, "In n8n")


async def show(request: web.Request) -> web.Response:
    """Show the line that belongs into n8n's environment."""
    key = key_of(request.app[OPTIONS].token)
    address = f"{asked_at(request).origin()}{OPEN}" + (f"/key/{key}" if key else "")
    return render(request, "n8n/in_n8n.html", address=address, has_key=bool(key))
