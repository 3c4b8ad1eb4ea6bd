"""How the tests look at pages, and what an enemy may have written into them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 375, "height": 700}
HOSTILE = (
    "<script>window.ran = 1</script>",
    "\"'><img src=x onerror='window.ran = 1'><svg onload=window.ran=1>",
    "</code></pre></td></table></main><h1>javascript:window.ran=1</h1>",
    "\u202eright to left\u2066 \x1b[31mred\x07\u200f",
    "x" * 1_000_000,
)

MARKED = """() => {
  const found = document.querySelectorAll('a[href], button, input, select, [tabindex="0"]');
  found.forEach((one, place) => { one.dataset.place = place; });
  return found.length;
}"""
"""Marks all that can be operated, and counts it."""
_AXE = (Path(__file__).parent / "axe.min.js").read_text()
_RUN_AXE = "axe.run({resultTypes: ['violations'], preload: false})"
_IS_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@dataclass
class Visited:
    """What was seen on pages that were loaded on a narrow screen."""

    ran: list[str] = field(default_factory=list)
    """Where a stored script did something."""
    wide: list[str] = field(default_factory=list)
    """Where something stands out to the right."""
    headings: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """Every address that was asked for."""
    keeping_out: list[tuple[str, str, str]] = field(default_factory=list)
    """What keeps somebody out on a wide screen, each with its page, where that was looked for."""


def visited(
    browser: Browser,
    site: str,
    paths: Sequence[str],
    *,
    axe: Sequence[str] = (),
    dark: Sequence[str] = (),
    **options: Any,
) -> Visited:
    """Load every page once; with axe look at these of them, and at some in the dark as well."""
    seen = Visited()
    with context_of(browser, viewport=NARROW, **options) as context:
        page = context.new_page()
        page.on("request", lambda request: seen.asked.append(request.url))
        page.on("dialog", lambda dialog: seen.ran.append(dialog.message))
        for path in paths:
            page.set_viewport_size(NARROW)
            page.goto(site + path)
            seen.ran += [path] if page.evaluate("() => window.ran") else []
            seen.wide += [path] if page.evaluate(_IS_WIDE) else []
            seen.headings[path] = page.locator("h1").count()
            if path in axe:
                page.set_viewport_size(WIDE)
                page.evaluate(_AXE)
                seen.keeping_out += _keeping_out(page, path)
                if path in dark:
                    page.emulate_media(color_scheme="dark")
                    seen.keeping_out += _keeping_out(page, f"{path} in the dark")
                    page.emulate_media(color_scheme="light")
    return seen


def _keeping_out(page: Page, name: str) -> list[tuple[str, str, str]]:
    found = page.evaluate(_RUN_AXE)["violations"]
    return [(name, one["id"], one["nodes"][0]["html"]) for one in found]


def context_of(browser: Browser, **options: Any) -> BrowserContext:
    context = browser.new_context(**{"viewport": WIDE} | options)
    context.set_default_timeout(20_000)
    return context
