"""The pictures that the archive has, each under the fingerprint of what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

from aiohttp import web

from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.reports.media import StoredPicture, stored_picture
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.guard import open_to
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.problems import Problem

_FOREVER: Mapping[str, str] = {"Cache-Control": "private, max-age=31536000, immutable"}
"""What has a fingerprint for a name never changes."""
_NONE = "The archive has no such picture."


def add_to(app: web.Application) -> None:
    """Serve each by its name."""
    app.router.add_get(r"/pictures/{name:[0-9a-f]+\.[a-z]+}", show)


def name_of(picture: StoredPicture) -> str:
    """Give the last part of the address of a picture."""
    return Path(picture.path).name


@open_to(Openness.OTHER_SITES)  # n8n's own pages show them
async def show(request: web.Request) -> web.StreamResponse:
    """Give a picture as it came."""
    sha256 = request.match_info["name"].partition(".")[0]
    picture = await request.app[ARCHIVE].look(stored_picture, sha256)
    file = None if picture is None else _file(request.app[OPTIONS].pictures, picture)
    if picture is None or file is None:
        raise Problem(HTTPStatus.NOT_FOUND, _NONE)
    return web.FileResponse(file, headers={**_FOREVER, "Content-Type": picture.media_type})


def _file(folder: str, picture: StoredPicture) -> Path | None:
    """Find it below the folder of pictures; those in a store of another kind are not here."""
    if "://" in folder:
        return None
    home = Path(folder).resolve()
    file = (home / picture.path).resolve()
    return file if file.is_relative_to(home) and file.is_file() else None
