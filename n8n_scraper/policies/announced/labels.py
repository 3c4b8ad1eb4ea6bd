"""Words that speak against an event, as data: whole titles, and phrases of what is always there.

A title is never looked through for pieces of words: an event may be called "Home and Away".
"""

from __future__ import annotations

from typing import Final

from n8n_scraper.policies.sameness.words import plain

_OF_MENUS = (
    *("home", "menu", "more", "details", "search", "share", "back", "next", "previous", "close"),
    *("event", "events", "all events", "upcoming events", "past events", "events calendar"),
    *("event calendar", "calendar", "what's on", "entertainment", "shows", "tickets", "booking"),
    *("learn more", "read more", "find out more", "more info", "view details", "view all"),
    *("see all", "see more", "load more", "show more", "book now", "buy now", "buy tickets"),
    *("get tickets", "book tickets", "sign in", "sign up", "log in", "login", "register"),
    *("subscribe", "newsletter", "contact", "contact us", "about", "about us", "faq", "sitemap"),
    *("privacy policy", "cookie policy", "terms and conditions", "terms of use", "english"),
    *("page not found", "404", "access denied", "just a moment", "loading"),
    *("首頁", "主頁", "更多", "了解更多", "查看更多", "詳情", "購票", "立即購票", "登入", "註冊"),
    *("搜尋", "返回", "上一頁", "下一頁", "聯絡我們", "關於我們", "繁體中文", "簡體中文"),
)
LABELS: Final = frozenset(map(plain, _OF_MENUS))
"""Titles that are entries of a menu, buttons, or pages of errors."""

ALWAYS_THERE: Final = (
    *("permanent", "permanent exhibition", "permanent collection", "year round", "all year round"),
    *(
        "open daily",
        "daily",
        "every day",
        "ongoing",
        "常設展覽",
        "常設展",
        "常設",
        "全年",
        "每日",
        "長期展覽",
    ),
)
"""What is said of something that has no end, as `words.plain` gives it."""
