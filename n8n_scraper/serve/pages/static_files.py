"""Our own style and script, and nobody else's."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.serve.guard import open_to

STATIC = Path(__file__).parent.parent / "static"

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def add_to(app: web.Application) -> None:
    """Serve each file by its name."""
    for path in sorted(STATIC.iterdir()):
        app.router.add_get(f"/static/{path.name}", _serving(path))


def _serving(path: Path) -> Handler:
    content, kind = path.read_bytes(), _TYPES[path.suffix]

    @open_to(Openness.EVERYBODY)
    async def serve(_request: web.Request) -> web.Response:
        return web.Response(
            body=content,
            content_type=kind,
            charset="utf-8",
            headers={"Cache-Control": "max-age=300"},
        )

    return serve
