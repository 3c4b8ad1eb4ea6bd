"""Look whether something is wrong, and write down what a person is to be told of it."""

from __future__ import annotations

from typing import Any

from n8n_scraper.alerts.channel import channel_name
from n8n_scraper.ledger import workers
from n8n_scraper.outbox import alert_book, outbox
from n8n_scraper.outbox.alert_book import News
from n8n_scraper.outbox.message import NewMessage
from n8n_scraper.policies.alerts.alert_settings import AlertSettings
from n8n_scraper.policies.alerts.figures import Watched
from n8n_scraper.policies.alerts.rules import Finding, Thresholds, findings, looked_at
from n8n_scraper.policies.alerts.telling import Cadence, Telling

_PATIENCE_SECONDS = 86400.0
"""After a day nobody needs to hear of it by this message any more."""
_KINDS = {
    Telling.FIRES: ("failure", "n8n-scraper: {key}", "{words}"),
    Telling.GOES_ON: ("warning", "n8n-scraper: {key} goes on", "{words}"),
    Telling.RECOVERED: ("success", "n8n-scraper: {key} is well again", "It was: {words}"),
}


def fields_with_bars(settings: AlertSettings) -> dict[str, list[str]]:
    """Name the fields of each source whose coverage is looked at."""
    return {source: list(bars) for source, bars in settings.coverage.items()}


def what_is_wrong(watched: Watched, settings: AlertSettings) -> list[Finding]:
    """Apply the rules with the thresholds of the settings."""
    thresholds = Thresholds(
        settings.stale_seconds,
        settings.circuit_seconds,
        settings.error_rate,
        settings.coverage,
    )
    return findings(watched, thresholds)


def note_what_is_wrong(session: Any, watched: Watched, settings: AlertSettings) -> None:
    """Note what is wrong and what is not any more, and write a message for each address."""

    def tell(news: News) -> None:
        for message in _messages(news, settings):
            outbox.write(session, message, news.at)

    alert_book.note(
        session,
        what_is_wrong(watched, settings),
        looked_at(watched),
        workers.now(session),
        Cadence(settings.cooldown_seconds, settings.repeat_seconds),
        tell,
    )


def _messages(news: News, settings: AlertSettings) -> list[NewMessage]:
    kind, title, body = _KINDS[news.telling]
    key, words = news.alert.key, news.alert.words
    payload = {"kind": kind, "title": title.format(key=key), "body": body.format(words=words)}
    return [
        NewMessage(
            channel_name(address),
            f"{key}/{news.telling}/{news.at:.3f}",
            payload,
            _PATIENCE_SECONDS,
            topic=key,
            stage=round(1000 * news.at),  # nobody hears of its end before its beginning
        )
        for address in settings.addresses
    ]
