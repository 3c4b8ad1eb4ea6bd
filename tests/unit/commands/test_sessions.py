"""Which remote browsers are open, and a word to end them."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scrapy.settings import BaseSettings

from n8n_scraper.commands.sessions import run
from n8n_scraper.crawl.sessions.account import Account
from n8n_scraper.crawl.sessions.browserbase_api import BrowserbaseApi
from n8n_scraper.crawl.sessions.session_settings import SessionSettings
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Process
from n8n_scraper.ledger.session_book import SessionBooks
from n8n_scraper.ledger.workers import this_process
from n8n_scraper.policies.sessions.book import Limits, Told
from n8n_scraper.policies.sessions.session import Need
from n8n_scraper.testing.browserbase import Fault, OwnBrowserbase, own_browserbase

ME = this_process(120.0)
GONE = Process(f"{ME.host}:{2**22 + 1}:x", ME.machine, 120.0)

Came = tuple[int | None, str, str]
Command = Callable[..., Came]


@pytest.fixture
def provider() -> Iterator[OwnBrowserbase]:
    with own_browserbase() as running:
        yield running


@pytest.fixture
def settings(provider: OwnBrowserbase, sqlite_url: str) -> dict[str, Any]:
    return {
        "DATABASE_URL": sqlite_url,
        "BROWSERBASE_URL": provider.url,
        "BROWSERBASE_API_KEY": provider.key,
    }


@pytest.fixture
def sessions(settings: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*words: str, **changed: Any) -> Came:
        options = Namespace(json="--json" in words, all="--all" in words)
        args = [word for word in words if not word.startswith("--")]
        status: Any
        try:
            status = run(BaseSettings({**settings, **changed}), args, options)
        except SystemExit as left:
            status = left.code
        out, err = capsys.readouterr()
        return status, out, err

    return command


@pytest.fixture
def account_by(settings: dict[str, Any]) -> Iterator[Callable[[Process], Account]]:
    database = Database(settings["DATABASE_URL"])
    told = SessionSettings.from_settings(settings)
    api = BrowserbaseApi(told.url, told.key)
    yield lambda me: Account(api, SessionBooks(database, told.account), Limits(3, 5), me)
    database.close()


def opened(account: Account) -> str:
    name = account.reserve()
    assert isinstance(name, str)
    account.create(name, Need(), 900.0)
    return name


def test_sessions_are_listed_with_who_has_them_and_what_they_did(
    sessions: Command, account_by: Callable[[Process], Account]
) -> None:
    assert sessions("list") == (0, "No remote browser is open.\n", "")
    mine = account_by(ME)
    mine.tell({opened(mine): Told(items=7, errors=1, load=1)})
    opened(account_by(GONE))

    status, out, _ = sessions("list")
    machine = json.loads(sessions("list", "--json")[1])["sessions"]

    first, second = out.splitlines()
    assert status == 0
    assert first.startswith("session-0  open, for ")
    assert f"7 pages, 1 errors, 1 under way, process {ME.host}:{ME.pid}" in first
    assert second.endswith("its process is gone")
    told = machine[0]
    assert (told["sessionId"], told["itemsProcessed"], told["errors"]) == ("session-0", 7, 1)
    assert told["currentLoad"] == 1
    assert 0 <= told["uptime"] < 60
    assert [one["isUsed"] for one in machine] == [True, False]


def test_what_nobody_uses_is_closed_and_with_all_the_rest_as_well(
    sessions: Command, account_by: Callable[[Process], Account], provider: OwnBrowserbase
) -> None:
    opened(account_by(ME))
    opened(account_by(GONE))
    opened(account_by(ME))

    lost = sessions("close")
    one = sessions("close", "session-2")
    every = sessions("close", "--all")

    assert lost[:2] == (
        0,
        "session-1 is released: nobody had it any more.\nNothing is open that nobody uses.\n",
    )
    assert one[:2] == (0, "session-2 is released.\n")
    assert every[:2] == (0, "session-0 is released.\n")
    assert provider.running == []
    assert sessions("list")[1] == "No remote browser is open.\n"


def test_one_that_may_have_been_created_is_said_to_be_looked_for_again(
    sessions: Command, account_by: Callable[[Process], Account], provider: OwnBrowserbase
) -> None:
    provider.faults = [Fault.FAILED_504]
    with pytest.raises(Exception, match="504"):
        opened(account_by(ME))

    assert "perhaps created" in sessions("list")[1]
    status, out, _ = sessions("close")

    assert (status, out) == (4, "1 may have been created; look again in half a minute.\n")


@pytest.mark.parametrize(
    ("words", "changed", "status", "line"),
    [
        (("list",), {"BROWSERBASE_API_KEY": ""}, 2, "BROWSERBASE_API_KEY is empty: write the key"),
        (("list",), {"BROWSERBASE_API_KEY": "no"}, 10, "status 401: Unauthorized."),
        (("list",), {"BROWSERBASE_URL": "http://127.0.0.1:9"}, 10, ":9 does not answer"),
        (("close", "session-9"), {}, 2, "there is no open session 'session-9'"),
        (("close", "x", "--all"), {}, 2, "write: scrapy sessions list"),
        ((), {}, 2, "write: scrapy sessions list"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    sessions: Command, words: tuple[str, ...], changed: dict[str, str], status: int, line: str
) -> None:
    found = sessions(*words, **changed)

    assert found[:2] == (status, "")
    assert line in found[2]
    assert len(found[2].splitlines()) == 1
