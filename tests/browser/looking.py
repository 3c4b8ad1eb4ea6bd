"""How the tests look at pages, and what an enemy may have written into them."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext

AXE = (Path(__file__).parent / "axe.min.js").read_text()
RUN_AXE = "axe.run({resultTypes: ['violations'], preload: false})"
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


def context_of(browser: Browser, **options: Any) -> BrowserContext:
    context = browser.new_context(**{"viewport": WIDE} | options)
    context.set_default_timeout(20_000)
    return context
