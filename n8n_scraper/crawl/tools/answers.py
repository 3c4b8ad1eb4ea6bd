"""Give what a tool has brought as an answer of the site, as a plain request would have it."""

from __future__ import annotations

from collections.abc import Mapping

from scrapy import Request
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from n8n_scraper.policies.pace.domain import registrable_domain

_OF_THE_WIRE = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "content-type", "set-cookie"}
)


def as_answer(
    request: Request,
    *,
    tool: str,
    url: str,
    status: int,
    headers: Mapping[str, str],
    content_type: str,
    body: bytes,
) -> Response:
    """Make the answer; one of another site is the word to go there, which a redirect says.

    So the components that judge redirects decide whether that is followed, at that site's pace.
    """
    if registrable_domain(url) != registrable_domain(request.url):
        return Response(request.url, status=302, headers={"Location": url}, request=request)
    if (most := request.meta.get("download_maxsize")) and len(body) > most:
        raise DownloadCancelledError(f"{len(body)} bytes, more than the {most} that are allowed")
    kept = {name: text for name, text in headers.items() if name.lower() not in _OF_THE_WIRE}
    given = Headers({**kept, "Content-Type": content_type})
    kind = responsetypes.from_args(headers=given, url=url, body=body)
    return kind(url, status=status, headers=given, body=body, request=request, flags=[tool])


def in_utf8(content_type: str) -> str:
    """Give the type of a text that has been written anew."""
    return f"{content_type.partition(';')[0].strip() or 'text/html'}; charset=utf-8"
