"""The sessions of a crawl by who gives them, each begun when the first request asks for one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.sessions.contexts import Contexts
from n8n_scraper.crawl.sessions.one_browser import OneBrowser
from n8n_scraper.crawl.sessions.opening import account_of
from n8n_scraper.crawl.sessions.remote import RemoteBrowsers
from n8n_scraper.crawl.sessions.session_settings import Giver, SessionSettings
from n8n_scraper.crawl.sessions.sessions import Sessions
from n8n_scraper.crawl.sessions.wish import Wish, wish_of
from n8n_scraper.crawl.stopping import is_stopping
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.policies.tools.ladder import Tool

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from n8n_scraper.crawl.sessions.giving import Giving
    from n8n_scraper.crawl.tools.tool_settings import ToolSettings
    from n8n_scraper.policies.sessions.book import Told


class Givers:
    """Whoever gives sessions to this crawl.

    Settings: `SESSION…`, `ITEMS_PER_SESSION`, `BROWSERBASE_…`, `DATABASE_URL`. Stats:
    `sessions/<giver>/opened`, `…/closed`, `…/items`, `…/errors`.
    """

    def __init__(self, crawler: Crawler, tools: ToolSettings) -> None:
        self._crawler = crawler
        self._tools = tools
        self._settings = SessionSettings.from_settings(crawler.settings)
        self._sessions: dict[Giver, Sessions] = {}

    def wish(self, request: Request, tool: Tool) -> Wish:
        """Read what kind of session a request wants."""
        has_place = tool is Tool.DEVTOOLS and bool(self._tools.devtools_url)
        usual = Giver.CDP if has_place else Giver.LOCAL
        return wish_of(request, self._settings.giver or usual)

    def of(self, giver: Giver) -> Sessions:
        """Give the sessions of one of them."""
        if giver not in self._sessions:
            self._sessions[giver] = Sessions(
                giver,
                self._giving(giver),
                self._settings,
                partial(is_stopping, self._crawler),
                partial(self._count, giver),
            )
        return self._sessions[giver]

    async def close(self) -> None:
        """End all of them."""
        known, self._sessions = self._sessions, {}
        for sessions in known.values():
            await sessions.close()

    def _giving(self, giver: Giver) -> Giving:
        if giver is Giver.BROWSERBASE:
            self._settings.check_key()
            place = DatabaseSettings.from_settings(self._crawler.settings)
            return RemoteBrowsers(
                partial(account_of, self._settings, place),
                self._settings.limits.at_once,
                self._settings.timeout_seconds,
                self._told,
            )
        place_of_it = self._tools.devtools_url if giver is Giver.CDP else ""
        if giver is Giver.CDP and not place_of_it:
            raise BadInput(
                "A request asks for a session of cdp, and DEVTOOLS_URL is empty: write where your "
                "browser is spoken to, such as http://127.0.0.1:9222."
            )
        return Contexts(
            OneBrowser(self._tools, place_of_it), self._settings.most or self._tools.pages
        )

    def _told(self) -> dict[str, Told]:
        remote = self._sessions.get(Giver.BROWSERBASE)
        return {seat.lease: seat.told for seat in remote.active()} if remote else {}

    def _count(self, giver: Giver, what: str) -> None:
        self._crawler.stats.inc_value(f"sessions/{giver}/{what}")
