"""Say whose failure it was that a browser brought no page, in the words of a plain download."""

from __future__ import annotations

import re

from playwright.async_api import Error
from playwright.async_api import TimeoutError as TookTooLong
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)

from n8n_scraper.core.errors import ToolFailed
from n8n_scraper.crawl.private_network import PrivateAddress

_CODE = re.compile(r"net::ERR_([A-Z0-9_]+)")
_NOT_FOUND = frozenset({"NAME_NOT_RESOLVED", "NAME_RESOLUTION_FAILED", "ICANN_NAME_COLLISION"})
_SILENT = frozenset({"CONNECTION_TIMED_OUT", "TIMED_OUT"})
_REFUSED = frozenset({"CONNECTION_REFUSED", "PROXY_CONNECTION_FAILED", "TUNNEL_CONNECTION_FAILED"})
_OF_THE_LINE = (
    "ADDRESS_",
    "BAD_SSL",
    "CERT_",
    "CONNECTION_",
    "CONTENT_",
    "EMPTY_RESPONSE",
    "HTTP2_",
    "HTTP_",
    "INCOMPLETE_",
    "INVALID_",
    "QUIC_",
    "RESPONSE_",
    "SOCKET_",
    "SSL_",
    "TOO_MANY_REDIRECTS",
    "UNEXPECTED",
    "UNSAFE_REDIRECT",
)


def blamed(error: Error, url: str, refused: str = "") -> Exception:
    """Give what a plain download would have raised, or ToolFailed where the browser is to blame.

    `refused` is the address that we have not let it go to, if there is one.
    """
    if refused:
        return PrivateAddress(refused)
    words = f"{url}: {error.message.splitlines()[0]}"
    found = _CODE.search(error.message)
    if found is None:
        # Who navigates and hears nothing has waited for the site.
        return DownloadTimeoutError(words) if isinstance(error, TookTooLong) else ToolFailed(words)
    code = found[1]
    if code in _NOT_FOUND:
        return CannotResolveHostError(words)
    if code in _SILENT:
        return DownloadTimeoutError(words)
    if code in _REFUSED:
        return DownloadConnectionRefusedError(words)
    if code.startswith(_OF_THE_LINE):
        return DownloadFailedError(words)
    # What is aborted is a file to be downloaded: no browser shows it, however often it is asked.
    return ToolFailed(words, for_good=code == "ABORTED")
