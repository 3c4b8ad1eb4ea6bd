"""Do one thing on a page."""

from __future__ import annotations

import asyncio

from playwright.async_api import Page

from n8n_scraper.policies.tools.steps import Doing, Step

_PATIENCE_SECONDS = 1.5
"""How long a page may take to bring its next part; a slow site needs a second."""
_LOOK_SECONDS = 0.1
_TO_THE_END = "() => { window.scrollTo(0, document.documentElement.scrollHeight); }"
_HEIGHT = "() => document.documentElement.scrollHeight"

_CONSENT = r"""
() => {
  const known = [
    "#onetrust-reject-all-handler", "#CybotCookiebotDialogBodyButtonDecline",
    "#didomi-notice-disagree-button", ".fc-cta-do-not-consent",
    "[data-testid='uc-deny-all-button']", ".cky-btn-reject", "#tarteaucitronAllDenied2",
    "#onetrust-accept-btn-handler", "#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll",
    "#didomi-notice-agree-button", ".fc-cta-consent", "[data-testid='uc-accept-all-button']",
    ".cky-btn-accept", ".cc-dismiss",
  ];
  const seen = one => one && one.getClientRects().length > 0;
  for (const selector of known) {
    const found = document.querySelector(selector);
    if (seen(found)) { found.click(); return true; }
  }
  const boxes = document.querySelectorAll(
    "dialog[open], [role=dialog], [role=alertdialog], [id*=cookie i], [class*=cookie i], "
    + "[id*=consent i], [class*=consent i], [id*=gdpr i], [class*=gdpr i]");
  const words = [
    /^(reject|decline|refuse|deny)( all)?( cookies)?$|only necessary|necessary only/i,
    /^(accept|allow|agree|i agree|got it|ok|okay|continue)( all)?( cookies)?$/i,
  ];
  for (const word of words)
    for (const box of boxes)
      for (const button of box.querySelectorAll("button, [role=button], a, input[type=button]"))
        if (seen(button) && word.test((button.innerText || button.value || "").trim())) {
          button.click();
          return true;
        }
  return false;
}
"""


async def do(step: Step, page: Page) -> None:
    """Do it; what is not there to be done is waited for by whoever has a deadline."""
    match step.doing:
        case Doing.CLICK:
            await page.locator(step.selector).first.click()
        case Doing.WAIT if step.selector:
            await page.locator(step.selector).first.wait_for()
        case Doing.WAIT:
            await asyncio.sleep(step.number)
        case Doing.SCROLL:
            await _scroll(page, int(step.number))
        case Doing.CONSENT:
            await page.evaluate(_CONSENT)


async def _scroll(page: Page, times: int) -> None:
    """Scroll to the end again and again, until the page does not grow any more."""
    for _ in range(times):
        before = await page.evaluate(_HEIGHT)
        await page.evaluate(_TO_THE_END)
        end = asyncio.get_running_loop().time() + _PATIENCE_SECONDS
        while await page.evaluate(_HEIGHT) <= before:
            if asyncio.get_running_loop().time() >= end:
                return
            await asyncio.sleep(_LOOK_SECONDS)
