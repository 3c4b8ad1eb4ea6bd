"""Recognises a wall put up against robots, by positive evidence only.

Three kinds of evidence count, each impossible in a page that merely talks about such walls:

1. a header with which the wall names itself (`cf-mitigated: challenge`);
2. an HTML page without an article whose whole title is Cloudflare's, together with
   Cloudflare's challenge script or error markup - the script alone is also injected into
   healthy pages, and the title alone could be anybody's;
3. the machinery of a challenge (the element of a captcha widget, Cloudflare's challenge
   options in a script) in a page without an article: the same widget in the comment form of a
   real article is no wall, nor is its markup quoted in a script, a comment or a code sample.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import html

from n8n_scraper.core.errors import BadContent
from n8n_scraper.core.markup import parsed

SELF_NAMED = {
    "cf-mitigated": ("challenge",),
    "x-vercel-mitigated": ("challenge", "deny"),
    "x-amzn-waf-action": ("challenge", "captcha"),
}
"""Headers with which Cloudflare, Vercel and AWS say that this answer is their wall."""

CLOUDFLARE_TITLES = frozenset({"Just a moment...", "Attention Required! | Cloudflare"})

ARTICLE_CHARACTERS = 600
"""From this much visible text on a page has something to say, widget or not."""

MOST_BYTES = 128 * 1024
"""No wall is as large as this; only smaller pages are read as a tree, while all else waits."""

# Only pages with one of these are worth reading as a tree.
_HINTS = (
    *(b"cf-chl", b"cf_chl", b"challenge-platform", b"challenge-form", b"cf-error-details"),
    *(b"h-captcha", b"g-recaptcha", b"cf-turnstile"),
)
_QUOTED = "ancestor-or-self::*[self::noscript or self::template or self::textarea"
_REAL = f"not({_QUOTED} or self::pre or self::code])"
_CLOUDFLARE_MARKUP = (
    "//script[contains(@src, '/cdn-cgi/challenge-platform/')"
    " or contains(., '/cdn-cgi/challenge-platform/') or contains(., '_cf_chl_opt')]"
    f" | //*[({_REAL}) and (starts-with(@id, 'cf-chl') or starts-with(@id, 'cf-error-details')"
    " or contains(@class, 'cf-chl') or starts-with(@id, 'challenge-form'))]"
)
_WIDGETS = ("h-captcha", "g-recaptcha", "cf-turnstile")
_MACHINERY = (
    f"//*[({_REAL}) and ("
    + " or ".join(
        f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ') or self::{name}"
        for name in _WIDGETS
    )
    + ")] | //script[contains(., 'window._cf_chl_opt')]"
)
_VISIBLE_TEXT = "//body//text()[not(ancestor::script or ancestor::style or ancestor::noscript)]"


def is_challenge(body: bytes, headers: Mapping[str, str]) -> bool:
    """Tell whether this answer is a wall against robots instead of what was asked for."""
    for name, values in SELF_NAMED.items():
        if headers.get(name, "").strip().lower() in values:
            return True
    if len(body) > MOST_BYTES or not _is_html(body, headers):
        return False
    return any(hint in body for hint in _HINTS) and _is_wall(body)


def _is_html(body: bytes, headers: Mapping[str, str]) -> bool:
    if "json" in headers.get("content-type", "").lower():
        return False
    return body[:64].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _is_wall(body: bytes) -> bool:
    text = body.decode("utf-8", "replace").replace("\0", "")
    try:
        page = parsed(text)
    except BadContent:  # no page, so no wall
        return False
    if page.find(".//article") is not None:
        return False
    title = " ".join((page.findtext(".//title") or "").split())
    if title in CLOUDFLARE_TITLES and page.xpath(_CLOUDFLARE_MARKUP):
        return True
    return bool(page.xpath(_MACHINERY)) and not _says_something(page)


def _says_something(page: html.HtmlElement) -> bool:
    visible = sum(len(text.strip()) for text in page.xpath(_VISIBLE_TEXT))
    return visible >= ARTICLE_CHARACTERS
