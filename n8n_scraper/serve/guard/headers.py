"""What every answer tells a browser: load nothing of others, run nothing that we did not write."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.serve.guard import openness_of

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

ON_EVERY_ANSWER: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": "n8n-scraper",
}


async def add_headers(request: web.Request, answer: web.StreamResponse) -> None:
    """Add them as an answer is about to be sent, errors included."""
    answer.headers.update(ON_EVERY_ANSWER)
    if openness_of(request) is not Openness.OTHER_SITES:
        answer.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    answer.headers.setdefault("Cache-Control", "no-store")
