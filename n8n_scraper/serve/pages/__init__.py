"""Pages made of templates in which every value is escaped, whatever it is."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.pages.navigation import links_of
from n8n_scraper.serve.pages.words import FILTERS
from n8n_scraper.sources import all_sources

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """Give what reads the templates of pages."""
    return environment_of(is_linked=True)


def environment_of(*, is_linked: bool) -> Environment:
    """Make what reads the templates; a name that is not there is an error, not an empty text.

    Where nothing is linked, the same templates make a file that stands for itself.
    """
    made = Environment(
        loader=FileSystemLoader(_folders()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(FILTERS)
    made.globals["is_linked"] = is_linked
    # A part of a page that is made by itself has them too, where an import would be missing.
    made.globals["ui"] = made.get_template("ui.html").module
    return made


def _folders() -> list[Path]:
    """Name the folders of templates: ours, and those beside what a source serves of its own."""
    homes = (find_spec(source.pages) for source in all_sources() if source.pages)
    own = [Path(home.origin).with_name("templates") for home in homes if home and home.origin]
    return [_TEMPLATES, *own]


def render(
    request: web.Request, name: str, *, status: HTTPStatus = HTTPStatus.OK, **values: object
) -> web.Response:
    """Answer with a page: a template by its name, and what it is about."""
    page = (
        environment()
        .get_template(name)
        .render(
            links=links_of(request.app),
            path=request.path,
            has_token=bool(request.app[OPTIONS].token),
            **({"live": None} | values),
        )
    )
    return web.Response(status=status, text=page, content_type="text/html")


def blocks(name: str, prefix: str, **values: object) -> dict[str, str]:
    """Make only those parts of a page whose names begin like this."""
    template = environment().get_template(name)
    context = template.new_context(values)
    return {
        block: "".join(make(context))
        for block, make in template.blocks.items()
        if block.startswith(prefix)
    }
