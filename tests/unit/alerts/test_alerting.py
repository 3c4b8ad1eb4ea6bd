"""What is found is told to a real service: once, again after the cool-down, and its end."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from n8n_scraper.alerts.channel import AlertChannel
from n8n_scraper.alerts.checking import note_what_is_wrong
from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import Standings
from n8n_scraper.outbox.sending import Sender, send_all
from n8n_scraper.policies.alerts.alert_settings import AlertSettings
from n8n_scraper.policies.alerts.figures import RunFigures, Watched
from n8n_scraper.testing.clock import MovableClock
from tests.webhook import SECRET, Webhook

pytestmark = pytest.mark.usefixtures("sqlite_url")

pytest.importorskip("apprise")

BAD = Watched(
    (RunFigures("n8n", "r1", "templates", has_ended=True, exit_status=1, meaning="it broke off"),)
)
WELL = Watched((RunFigures("n8n", "r2", "templates", has_ended=True, exit_status=0, had=3),))


class Place:
    """A database, the services that are told, and a clock that all of them go by."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = MovableClock(time.time())
        # What writes the messages and what sends them look at the database's clock.
        monkeypatch.setattr("n8n_scraper.ledger.workers.now", lambda _session: self.clock.now)
        self.database = Database(f"sqlite:///{folder}/archive.db", patience_seconds=0)
        self.database.open()

    def look(self, seen: Watched, *urls: str) -> list[Standings]:
        settings = AlertSettings.from_settings({"ALERT_URLS": " ".join(urls)})
        self.database.do(lambda session: note_what_is_wrong(session, seen, settings))
        return self.send(*urls)

    def send(self, *urls: str) -> list[Standings]:
        """Send what is due to each address, and say what is left."""
        settings = AlertSettings.from_settings({"ALERT_URLS": " ".join(urls)})
        return [self._send(AlertChannel(address)) for address in settings.addresses]

    def _send(self, channel: AlertChannel) -> Standings:
        send_all(Sender(channel, self._now, lambda: 0.5), self.database)
        return self.database.do(
            lambda session: outbox.standings(session, channel.name, self.clock.now)
        )

    def _now(self, _session: Session) -> float:
        return self.clock.now


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    made = Place(tmp_path, monkeypatch)
    yield made
    made.database.close()


@pytest.fixture
def hook() -> Iterator[Webhook]:
    with Webhook().running() as running:
        yield running


def test_a_service_hears_that_something_is_wrong_nothing_meanwhile_and_that_it_is_well(
    place: Place, hook: Webhook
) -> None:
    place.look(BAD, hook.url)
    for _ in range(5):
        place.clock.move(600)
        place.look(BAD, hook.url)
    assert hook.titles == ["run_failed:n8n"]

    place.look(WELL, hook.url)

    assert hook.titles == ["run_failed:n8n", "run_failed:n8n is well again"]
    assert [one["type"] for one in hook.heard] == ["failure", "success"]
    assert hook.heard[0]["message"] == "run r1 of n8n failed: it broke off (exit status 1)"
    assert hook.heard[1]["message"].startswith("It was: run r1 of n8n failed")


@pytest.mark.parametrize("status", [500, 429])
def test_what_a_service_does_not_take_comes_again_until_it_does(
    place: Place, hook: Webhook, status: int
) -> None:
    hook.statuses.extend([status, status])
    place.look(BAD, hook.url)
    for _ in range(4):
        place.clock.move(60)
        (stands,) = place.send(hook.url)

    assert (stands.waiting, stands.sent) == (0, 1)
    assert (hook.titles, hook.asked) == (["run_failed:n8n"], 3)


def test_a_service_that_is_away_hears_it_later_in_order_and_holds_up_no_other(
    place: Place, hook: Webhook
) -> None:
    # Given two services, one of which is away
    gone = Webhook()
    with gone.running():
        pass
    _, stands = place.look(BAD, hook.url, gone.url)
    assert (hook.titles, stands.waiting) == (["run_failed:n8n"], 1)

    # When it is back after all is well
    place.clock.move(600)
    place.look(WELL, hook.url, gone.url)
    with gone.running():
        for _ in range(4):
            place.clock.move(900)
            place.send(hook.url, gone.url)

    # Then both have heard the same
    assert gone.heard == hook.heard
    assert len(gone.heard) == 2


def test_an_alert_that_is_a_day_old_is_not_told_any_more(place: Place) -> None:
    place.look(BAD, Webhook(port=1).url)
    for _ in range(10):
        place.clock.move(10_000)
        (stands,) = place.send(Webhook(port=1).url)

    assert (stands.waiting, stands.given_up) == (0, 1)
    assert str(stands.last_error).startswith("not taken for too long")


def test_an_address_that_apprise_does_not_know_is_said_to_be_none(place: Place) -> None:
    (stands,) = place.look(BAD, "nonsense://secret")

    assert stands.given_up == 1
    assert "no address that Apprise knows" in str(stands.last_error)
    assert "secret" not in str(stands.last_error)


def test_no_address_gets_into_a_log_or_into_the_database(
    place: Place, hook: Webhook, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    hook.statuses.append(500)

    place.look(BAD, hook.url, f"json://127.0.0.1:1/{SECRET}")
    place.clock.move(60)
    place.send(hook.url)

    assert SECRET not in caplog.text
    assert not [file for file in tmp_path.iterdir() if SECRET.encode() in file.read_bytes()]
