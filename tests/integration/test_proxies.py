"""A crawl through proxies: two that people run, and others that fail in every way there is."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.bad_proxies import BadProxy, Kind, bad_proxy
from n8n_scraper.testing.hostile_site import Says, hostile_site
from n8n_scraper.testing.postgres import free_port
from n8n_scraper.testing.real_proxies import RealProxy
from n8n_scraper.testing.stand_in import running_stand_in
from n8n_scraper.testing.tls import Authority, SecureSite, secure_site
from tests.crawling import PROJECT, Ran, child, rows, scrapy, stored, wait_until
from tests.real_proxies import running
from tests.server_side import overdraft

pytestmark = pytest.mark.full_speed
PICTURES = Path(__file__).with_name("picture_spider.py")
PASSWORD = "s3cret-of-the-proxy"
FAULTS = {
    Kind.DEAD: "absent",
    Kind.MUTE: "silent",
    Kind.LOCKED: "locked",
    Kind.REFUSING: "refused",
    Kind.INJECTING: "foreign",
}


@dataclass(frozen=True)
class Site:
    """The stand-in behind TLS, and who vouches for it."""

    stand_in: RunningStandIn
    secure: SecureSite
    authority: Authority

    def ids(self, number: int) -> str:
        return "ids=" + ",".join(map(str, self.stand_in.ids[:number]))

    def environment(self, folder: Path, **settings: str) -> dict[str, str]:
        return {
            "N8N_SITE_URL": self.secure.url,
            "N8N_API_URL": self.secure.url,
            "SSL_CERT_FILE": str(self.authority.file),
            "DATABASE_URL": f"sqlite:///{folder}/a.db",
            "PROXY_HEALTH_FILE": f"{folder}/proxies.json",
            "PROXY_REST_SECONDS": "600",
            "MIN_PROXIES": "1",
            "RATE_LIMIT_RATE": "0",
            "LOG_LEVEL": "INFO",
            **settings,
        }

    def crawl(self, folder: Path, *arguments: str, **settings: str) -> Ran:
        environment = self.environment(folder, **settings)
        return scrapy("crawl", "workflows", *arguments, environment=environment)


@pytest.fixture(autouse=True)
def archive(tmp_path: Path, tables_of_sqlite: Path) -> None:
    """The archive of the crawls, with its tables: making them takes a fifth of a small one."""
    shutil.copy(tables_of_sqlite, tmp_path / "a.db")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Whom the crawls of these tests believe."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def site(stand_in: RunningStandIn, authority: Authority) -> Iterator[Site]:
    """The stand-in behind TLS."""
    with secure_site(urlsplit(stand_in.url).port or 0, authority.context()) as secure:
        yield Site(stand_in, secure, authority)


@pytest.fixture(scope="module")
def tiny() -> Iterator[RealProxy]:
    """A tinyproxy that lets anybody in."""
    with running("tinyproxy") as proxy:
        yield proxy


def health(folder: Path) -> dict[str, dict[str, object]]:
    noted = json.loads((folder / "proxies.json").read_text())
    return {one["name"]: one for one in noted["proxies"]}


def written(folder: Path, ran: Ran) -> str:
    """All that a crawl has left behind, as text."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    text = "".join(path.read_bytes().decode("latin-1") for path in files)
    return text + ran.out + ran.err


def holds_password(text: str, user: str = "me") -> bool:
    both = f"{user}:{PASSWORD}".encode()
    return any(one in text for one in (PASSWORD, base64.b64encode(both).decode()))


@contextmanager
def crawling(
    site: Site, folder: Path, *arguments: str, **settings: str
) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Start a crawl, and give its log as it grows."""
    log = folder / "log"
    log.touch()
    environment = {**os.environ, **site.environment(folder, **settings)}
    command = [sys.executable, "-m", "scrapy", "crawl", "workflows", *arguments]
    command += ["-s", f"LOG_FILE={log}"]
    with child(command, cwd=PROJECT, env=environment, stderr=subprocess.DEVNULL) as process:
        yield process, log


def test_two_good_proxies_and_five_bad_ones_are_each_judged_rightly(
    site: Site, tiny: RealProxy, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        # Given two proxies that work, one of them for us alone, and five that fail
        ours = stack.enter_context(running("squid", "me", PASSWORD))
        bad = {kind: stack.enter_context(bad_proxy(kind)) for kind in FAULTS}
        locked = bad[Kind.LOCKED].address
        listed = tmp_path / "live.txt"
        listed.write_text(
            "\n".join(
                [
                    *(bad[kind].url for kind in FAULTS if kind is not Kind.LOCKED),
                    f"http://me:{PASSWORD}@{locked}",
                    tiny.url,
                    ours.with_password("me", PASSWORD),
                ]
            )
        )

        # When a crawl goes through them
        ran = site.crawl(
            tmp_path,
            *("-a", site.ids(15), "-s", "DOWNLOAD_TIMEOUT=3", "-O", f"{tmp_path}/feed.jsonl"),
            PROXIES=str(listed),
            LOG_LEVEL="DEBUG",
        )

    # Then nothing is lost
    assert ran.status == 0, ran.err
    archive = f"sqlite:///{tmp_path}/a.db"
    assert len(stored(archive)) == 15
    # and each proxy that fails rests for its own reason, and those that work are well
    listed.unlink()
    known = health(tmp_path)
    for kind, fault in FAULTS.items():
        found = known[bad[kind].address]
        assert (found["worked"], found["fault"]) == (0, fault), kind
        assert found["failed"] >= 3, kind
        assert found["rests_for_seconds"] > 0, kind
    for good in (tiny, ours):
        assert known[good.address]["worked"] == known[good.address]["requests"] > 5
    # and none of it is counted against the site
    assert rows(archive, "SELECT circuit_failures, circuit_opened_at FROM domains") == [(0, None)]
    assert "Again in" not in ran.err
    # and the password is nowhere
    assert not holds_password(written(tmp_path, ran))


def test_everything_goes_through_the_proxies_robots_txt_included(
    site: Site, tmp_path: Path
) -> None:
    site.stand_in.reset()
    before = len(site.secure.connections)
    with running("tinyproxy") as proxy:
        ran = site.crawl(tmp_path, "-a", site.ids(3), PROXIES=proxy.url)
        tunnels = [one for one in proxy.asked if one.startswith("CONNECT ")]

    asked = [record["path"] for record in site.stand_in.log()]
    assert ran.status == 0, ran.err
    assert "/robots.txt" in asked
    assert len(site.secure.connections) - before == len(tunnels) > 0


def test_pictures_go_through_the_proxies(tiny: RealProxy, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    with hostile_site({"/a.png": Says(b"no picture")}) as host:
        ran = scrapy(
            *("runspider", str(PICTURES), "-a", f"urls={host.url}/a.png"),
            environment={
                "DATABASE_URL": f"sqlite:///{tmp_path}/a.db",
                "PROXY_HEALTH_FILE": f"{tmp_path}/proxies.json",
                "DOWNLOAD_PICTURES": "1",
                "PICTURES_DIR": f"{tmp_path}/pictures",
                # so that they may be asked for on this machine
                "N8N_SITE_URL": host.url,
                "N8N_API_URL": host.url,
                "PROXIES": tiny.url,
            },
        )

    assert ran.status == 0, ran.err
    assert f"GET {host.url}/a.png" in tiny.asked


def test_politeness_is_not_multiplied_by_proxies(authority: Authority, tmp_path: Path) -> None:
    rate, burst = 10, 2
    with ExitStack() as stack:
        stand_in = stack.enter_context(running_stand_in(templates=20))
        port = urlsplit(stand_in.url).port or 0
        secure = stack.enter_context(secure_site(port, authority.context()))
        good = [stack.enter_context(running("tinyproxy")) for _ in range(3)]
        bad = [stack.enter_context(bad_proxy(Kind.REFUSING)) for _ in range(2)]

        ran = Site(stand_in, secure, authority).crawl(
            tmp_path,
            PROXIES=",".join(one.url for one in (*good, *bad)),
            RATE_LIMIT_RATE=str(rate),
            RATE_LIMIT_BURST=str(burst),
        )
        log = stand_in.log()

    assert ran.status == 0, ran.err
    assert len(log) > 60
    assert overdraft(log, rate, burst) < 1  # not one request too many, whatever a proxy holds back


def test_a_crawl_that_no_proxy_serves_loses_nothing_and_the_same_command_goes_on(
    site: Site, tiny: RealProxy, tmp_path: Path
) -> None:
    listed, state = tmp_path / "live.txt", tmp_path / "state"
    command = ("-a", site.ids(4), "-s", f"JOBDIR={state}")
    with bad_proxy(Kind.DEAD) as dead:
        listed.write_text(dead.url)

        # Given a crawl that waited in vain
        ran = site.crawl(
            tmp_path,
            *command,
            PROXIES=str(listed),
            PROXY_REFRESH_SECONDS="0.3",
            CIRCUIT_BREAKER_WAIT_LIMIT="1",
        )
    assert ran.status == 5, ran.err
    assert "No answer comes through the proxies now; the last said: nobody is there" in ran.err
    assert "No answer has come through the proxies for" in ran.err
    assert "Traceback" not in ran.err

    # When there is one again
    listed.write_text(tiny.url)
    again = site.crawl(tmp_path, *command, PROXIES=str(listed))

    # Then it is as if nothing had been
    assert again.status == 0, again.err
    assert len(stored(f"sqlite:///{tmp_path}/a.db")) == 4


def test_a_list_that_is_renewed_in_mid_crawl_is_taken_up(
    site: Site, tiny: RealProxy, tmp_path: Path
) -> None:
    listed = tmp_path / "live.json"
    with bad_proxy(Kind.DEAD) as dead:
        listed.write_text(json.dumps([dead.url]))
        settings = {"PROXIES": str(listed), "PROXY_REFRESH_SECONDS": "0.2"}
        with crawling(site, tmp_path, "-a", site.ids(4), **settings) as (process, log):
            # Given a crawl whose only proxy rests
            wait_until(lambda: "No answer comes through the proxies" in log.read_text())

            # When its file is spoilt, and then renewed
            listed.write_text("[oops")
            wait_until(lambda: "The list of proxies stays as it was" in log.read_text())
            listed.write_text(json.dumps([{"host": "127.0.0.1", "port": tiny.port}]))

            # Then it goes on to its end
            assert process.wait(60) == 0, log.read_text()
    assert "begins like JSON and is none" in log.read_text()
    assert "The list of proxies has changed: 1 by now" in log.read_text()
    assert "Answers come through the proxies again" in log.read_text()
    assert health(tmp_path)[tiny.address]["failed"] == 0


def test_a_proxy_that_works_again_is_found_by_our_own_page_before_its_rest_is_over(
    site: Site, tmp_path: Path
) -> None:
    settings = {
        "PROXY_REFRESH_SECONDS": "0.2",
        "PROXY_CANARY_URL": f"{site.secure.url}/robots.txt",
    }
    port = free_port()
    settings["PROXIES"] = f"127.0.0.1:{port}"
    with crawling(site, tmp_path, "-a", site.ids(4), **settings) as (process, log):
        # Given a proxy that rests for ten minutes
        wait_until(lambda: "rests for 600 s" in log.read_text())

        # When it is there again
        with running("tinyproxy", port=port):
            # Then the crawl does not wait for as long
            assert process.wait(60) == 0, log.read_text()
    assert f"Proxy 127.0.0.1:{port} works again" in log.read_text()


def test_a_site_that_is_down_is_known_from_proxies_that_still_reach_our_own_page(
    authority: Authority, tiny: RealProxy, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        # Given a crawl under way, and a page of our own on another host
        stand_in = stack.enter_context(running_stand_in(templates=24, latency_ms=30))
        port = urlsplit(stand_in.url).port or 0
        secure = stack.enter_context(secure_site(port, authority.context()))
        own = stack.enter_context(hostile_site({"/alive": Says(b"yes")}))
        canary = stack.enter_context(secure_site(own.port, authority.context()))
        settings = {
            "PROXIES": tiny.url,
            "PROXY_REFRESH_SECONDS": "0.2",
            "PROXY_CANARY_URL": canary.url.replace("127.0.0.1", "localhost") + "/alive",
            "RATE_LIMIT_RATE": "40",
            "CIRCUIT_BREAKER_HOLD": "1",
        }
        site = Site(stand_in, secure, authority)
        process, log = stack.enter_context(crawling(site, tmp_path, **settings))
        wait_until(lambda: len(stand_in.log()) > 20)

        # When the site is gone for a while
        stand_in.control(outage="reset")
        wait_until(lambda: "127.0.0.1 is left alone for" in log.read_text(), 40)
        stand_in.control(outage=None)

        # Then the site's own circuit has kept it from harm, and nothing is lost
        assert process.wait(60) == 0, log.read_text()
    assert "works again" in log.read_text()
    assert len(stored(f"sqlite:///{tmp_path}/a.db")) == 24


def test_a_stopped_spider_leaves_no_password_on_the_disk(tmp_path: Path) -> None:
    spiders = "SPIDER_MODULES=n8n_scraper.spiders,tests.integration.own_spider"
    with bad_proxy(Kind.ECHOING) as proxy:
        environment = {
            **os.environ,
            "N8N_SITE_URL": "http://127.0.0.1:9",
            "PROXIES": f"http://me:{PASSWORD}@{proxy.address}",
            "PROXY_HEALTH_FILE": f"{tmp_path}/proxies.json",
            "LOG_LEVEL": "DEBUG",
        }
        command = [sys.executable, "-m", "scrapy", "crawl", "titles", "-s", spiders]
        command += ["-s", f"JOBDIR={tmp_path}/state", "-s", f"LOG_FILE={tmp_path}/log"]
        (tmp_path / "log").touch()
        # Given a spider of another kind, whose only proxy rests
        with child(command, cwd=PROJECT, env=environment, stderr=subprocess.PIPE) as process:
            wait_until(lambda: "rests for" in (tmp_path / "log").read_text(), 40)

            # When it is stopped
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)

    # Then its queue is on the disk, and what the proxy repeated is not
    assert process.returncode == 4, err
    assert any((tmp_path / "state" / "requests.queue").iterdir())
    assert not holds_password(written(tmp_path, Ran(4, out or "", err)))


def test_a_list_on_the_command_line_is_not_told_with_its_passwords(
    site: Site, tmp_path: Path
) -> None:
    with running("tinyproxy", "me", PASSWORD) as proxy:
        given = f"PROXIES=127.0.0.1:{proxy.port}:me:{PASSWORD}"
        ran = site.crawl(tmp_path, "-a", site.ids(2), "-s", given)

    assert ran.status == 0, ran.err
    assert not holds_password(written(tmp_path, ran))
    assert rows(f"sqlite:///{tmp_path}/a.db", "SELECT command FROM scrape_runs")[0][0].count("***")


def test_few_proxies_are_told_in_one_line(site: Site, tiny: RealProxy, tmp_path: Path) -> None:
    ran = site.crawl(tmp_path, "-a", site.ids(1), PROXIES=tiny.url, MIN_PROXIES="10")

    assert ran.status == 0, ran.err
    told = "1 of 1 proxies can be used, fewer than MIN_PROXIES (10): renew the list."
    assert ran.err.count(told) == 1


def test_a_rotator_that_keeps_tls_whole_is_used_like_a_proxy(
    site: Site, tiny: RealProxy, tmp_path: Path
) -> None:
    ran = site.crawl(tmp_path, "-a", site.ids(2), PROXY_ROTATOR_URL=tiny.url, MIN_PROXIES="10")

    assert ran.status == 0, ran.err
    assert f"Requests go through the rotator {tiny.address}" in ran.err
    assert "MIN_PROXIES" not in ran.err


@pytest.mark.further
def test_a_rotator_that_opens_tls_brings_nothing_until_that_is_accepted(
    site: Site, tmp_path: Path
) -> None:
    strange = Authority(tmp_path / "strange").context()
    with bad_proxy(Kind.INTERCEPTING, strange) as rotator:
        given = {
            "PROXY_ROTATOR_URL": rotator.url,
            "PROXY_REFRESH_SECONDS": "0.2",
            "CIRCUIT_BREAKER_WAIT_LIMIT": "1",
        }
        ran = site.crawl(tmp_path, "-a", site.ids(2), **given)
        accepted = site.crawl(
            tmp_path, "-a", site.ids(2), "-s", "DOWNLOAD_VERIFY_CERTIFICATES=False", **given
        )

    # What it says in the place of the site is not believed, and the crawl does not go on for ever
    assert ran.status == 5, ran.err
    assert "the last said: what it brought is not the site's" in ran.err
    assert "nothing proves that an answer is the site's" in accepted.err
    assert accepted.status == 7  # the page that it wrote is no list of templates


# --- the command ------------------------------------------------------------------------------


def proxies(site: Site, folder: Path, *arguments: str, **settings: str) -> Ran:
    environment = site.environment(folder, **settings)
    return scrapy("proxies", *arguments, environment=environment)


@pytest.fixture(scope="module")
def refusing() -> Iterator[BadProxy]:
    """A proxy that carries nothing."""
    with bad_proxy(Kind.REFUSING) as proxy:
        yield proxy


def test_each_proxy_is_tried_now_on_our_own_page(
    site: Site, tiny: RealProxy, refusing: BadProxy, tmp_path: Path
) -> None:
    settings = {
        "PROXIES": f"{refusing.url},http://me:{PASSWORD}@{tiny.address}",
        "PROXY_CANARY_URL": f"{site.secure.url}/robots.txt",
    }

    ran = proxies(site, tmp_path, "check", **settings)
    machine = proxies(site, tmp_path, "check", "--json", **settings)
    few = proxies(site, tmp_path, "check", MIN_PROXIES="2", **settings)

    assert ran.status == 0, ran.err
    works, fails = ran.out.splitlines()
    assert works.startswith(f"{tiny.address}  works, ")
    assert fails == f"{refusing.address}  it opened no tunnel"
    assert {one["name"]: one["fault"] for one in json.loads(machine.out)["proxies"]} == {
        tiny.address: None,
        refusing.address: "refused",
    }
    assert few.status == 3
    assert "1 proxies can be used, fewer than MIN_PROXIES (2)" in few.err
    assert not holds_password(ran.out + ran.err + machine.out + few.out + few.err)


def test_the_list_shows_what_the_newest_crawl_has_noted(
    site: Site, tiny: RealProxy, refusing: BadProxy, tmp_path: Path
) -> None:
    settings = {"PROXIES": f"{tiny.url},{refusing.url}"}
    before = proxies(site, tmp_path, "list", **settings)
    site.crawl(tmp_path, "-a", site.ids(3), **settings)

    after = proxies(site, tmp_path, "list", **settings)
    machine = json.loads(proxies(site, tmp_path, "list", "--json", **settings).out)

    assert f"{tiny.address}  not used yet" in before.out
    assert "No crawl has gone through proxies yet." in before.out
    rested = r"last: it opened no tunnel, rested for (10 min 00 s|9 min \d+ s) more"
    assert re.search(rested, after.out)
    assert machine["noted_at"]
    assert {one["name"]: one["in_a_row"] for one in machine["proxies"]} == {
        tiny.address: 0,
        refusing.address: 3,
    }


def test_a_rotator_that_opens_tls_is_told_with_the_setting_that_accepts_it(
    site: Site, tmp_path: Path
) -> None:
    canary = {"PROXY_CANARY_URL": f"{site.secure.url}/robots.txt"}
    strange = Authority(tmp_path / "strange").context()
    with bad_proxy(Kind.INTERCEPTING, strange) as rotator:
        given = {"PROXY_ROTATOR_URL": rotator.url, **canary}

        told = proxies(site, tmp_path, "check", **given)
        accepted = proxies(
            site, tmp_path, "check", "-s", "DOWNLOAD_VERIFY_CERTIFICATES=False", **given
        )

    assert told.status == 3
    assert "DOWNLOAD_VERIFY_CERTIFICATES=False accepts that." in told.err
    assert accepted.status == 0, accepted.err


def test_the_command_that_starts_mubeng_can_be_pasted(site: Site, tmp_path: Path) -> None:
    listed = tmp_path / "live.txt"
    listed.write_text("http://1.2.3.4:80\n")
    given = {"PROXIES": str(listed), "PROXY_ROTATOR_URL": "http://127.0.0.1:8089"}

    ran = proxies(site, tmp_path, "rotator", **given)

    assert ran.out.startswith(f"mubeng -f {listed} -a 127.0.0.1:8089 -r 1 ")
    assert ran.out.endswith(" < /dev/null\n")


def test_a_rotator_is_tried_like_a_proxy(site: Site, tiny: RealProxy, tmp_path: Path) -> None:
    canary = {"PROXY_CANARY_URL": f"{site.secure.url}/robots.txt"}

    there = proxies(site, tmp_path, "check", PROXY_ROTATOR_URL=tiny.url, **canary)
    away = proxies(site, tmp_path, "check", PROXY_ROTATOR_URL="http://127.0.0.1:9", **canary)

    assert there.status == 0, there.err
    assert there.out.startswith(f"{tiny.address}  works, ")
    assert away.status == 3
    assert "the rotator cannot be used." in away.err


def test_without_proxies_the_list_says_so(site: Site, tmp_path: Path) -> None:
    ran = proxies(site, tmp_path, "list")

    assert (ran.status, ran.out) == (0, "PROXIES is empty: requests go to their sites directly.\n")


@pytest.mark.parametrize(
    ("arguments", "settings", "told"),
    [
        ((), {}, "write: scrapy proxies list, scrapy proxies check"),
        (("check",), {}, "PROXIES is empty"),
        (("check",), {"PROXIES": "a.example:1"}, "PROXY_CANARY_URL is empty"),
        (("list",), {"PROXIES": "socks5://a.example:1"}, "PROXIES, entry 1, is a SOCKS proxy"),
        (("rotator",), {"PROXIES": "a.example:1"}, "name the rotator's address"),
    ],
)
def test_what_cannot_be_done_costs_one_line(
    arguments: tuple[str, ...], settings: dict[str, str], told: str, site: Site, tmp_path: Path
) -> None:
    ran = proxies(site, tmp_path, *arguments, **settings)

    assert ran.status == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1
