"""How a crawl tells how far it is: in its log, to another terminal, and in checkpoints."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from n8n_scraper.crawl.checkpoint_files import read_newest
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import PROJECT, Ran, child, crawl, rows, scrapy, site, started, wait_until

pytestmark = [pytest.mark.full_speed, pytest.mark.further_on("postgresql")]

WITH_MILLISECONDS = (
    *("-s", "LOG_FORMAT=%(asctime)s.%(msecs)03d %(levelname)s %(message)s"),
    *("-s", "LOG_DATEFORMAT=%H:%M:%S"),
)
PROGRESS = re.compile(
    r"^(\d\d):(\d\d):(\d\d\.\d+) INFO (\d+) of 40 templates \(.*?([\d.]+ s left)?$"
)


def asking(url: str, *arguments: str) -> Ran:
    return scrapy(*arguments, environment={"DATABASE_URL": url})


def read(url: str, *arguments: str) -> dict[str, object]:
    ran = asking(url, *arguments, "--json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def ended(url: str) -> int:
    query = "SELECT count(*) FROM scrape_run_items WHERE closed_at IS NOT NULL"
    return int(str(rows(url, query)[0][0]))


def run_is_entered(url: str, state: Path) -> bool:
    return (state / "run.json").exists()


def on_a_terminal(arguments: list[str], environment: dict[str, str], columns: int) -> str:
    """Run a command on a terminal so many columns wide, and give what it wrote there."""
    master, slave = pty.openpty()
    size = {"COLUMNS": str(columns), "LINES": "24", "TERM": "xterm-256color"}
    with child(
        [sys.executable, "-m", "scrapy", *arguments],
        cwd=PROJECT,
        env={**os.environ, **environment, **size},
        stdin=slave,
        stdout=slave,
        stderr=slave,
    ) as running:
        os.close(slave)
        written = b""
        while True:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # the terminal is closed: the command has ended
                break
            written += chunk
        running.wait()
    os.close(master)
    return written.decode(errors="replace")


@pytest.mark.timed
@pytest.mark.parametrize(
    ("rate", "within"), [(15, 0.25), pytest.param(3, 0.1, marks=pytest.mark.long)]
)
def test_the_log_promises_an_end_and_keeps_its_word(
    sqlite_url: str, rate: int, within: float
) -> None:
    # Given a steady crawl whose log tells the time to the millisecond
    with running_stand_in(templates=40) as stand_in:
        ran = scrapy(
            *("crawl", "workflows", *WITH_MILLISECONDS),
            environment={
                **site(stand_in),
                "RATE_LIMIT_RATE": str(rate),
                "DATABASE_URL": sqlite_url,
            },
        )

    # When its estimates are held against what came
    assert ran.status == 0, ran.err
    told = [found for line in ran.err.splitlines() if (found := PROGRESS.match(line))]
    moments = {
        int(found[4]): int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) for found in told
    }
    promised = {int(found[4]): float(found[5].split()[0]) for found in told if found[5]}

    # Then there is a line for every ten, and from a third on each is right
    assert list(moments) == [10, 20, 30, 40]
    assert set(promised) >= {20, 30}
    for done in (20, 30):
        truth = (moments[40] - moments[done]) % 86_400
        assert promised[done] == pytest.approx(truth, rel=within, abs=0.3)
    assert "bucket 0." in ran.err
    assert re.search(
        r"40 of 40 templates \(100 %\) ended: 40 complete · 100.0 % successful · \d+ s"
        r" · 0\.\d\d s each · \d+\.\d templates a minute",
        ran.err,
    )
    last_words = ran.err.strip().splitlines()[-2:]
    assert "40 of 40 templates ended" in last_words[0]


def test_another_terminal_tells_a_live_run_from_a_dead_one_and_from_its_end(
    database_url: str, tmp_path: Path
) -> None:
    state = ("-a", "chain=lean", "-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=40) as stand_in:
        # Given a crawl at work
        with started(stand_in, database_url, *state, RATE_LIMIT_RATE="5") as first:
            wait_until(lambda: run_is_entered(database_url, tmp_path / "state"))
            wait_until(lambda: ended(database_url) >= 3)
            live = read(database_url, "status")["run"]
            words = asking(database_url, "status").out
            refused = asking(database_url, "runs", "retry-failed", "last")
            # When it is killed
            first.send_signal(signal.SIGKILL)
            first.wait()
        before = ended(database_url)
        stale = read(database_url, "status")["run"]
        # And the same command goes on
        ran = crawl(stand_in, database_url, *state)
    over = read(database_url, "status", str(live["run_id"]))["run"]

    # Then each is told from the others
    assert [run["standing"] for run in (live, stale, over)] == ["live", "stale", "ended"]
    assert live["total"] == 40
    assert live["processed"] >= 3
    assert live["eta_seconds"] is not None
    assert f"live, process {str(live['owner']).split(':')[0]} {first.pid}" in words
    assert refused.status == 2
    assert "is being worked on" in refused.err
    assert stale["processed"] == before
    assert stale["can_go_on"] is True
    assert str(stale["command"]).endswith(f"JOBDIR={tmp_path}/state")
    assert (over["exit_status"], over["processed"], over["remaining"]) == (0, 40, 0)
    # And the process that went on counts its own part only
    assert ran.status == 0, ran.err
    assert f"{40 - before} in " in ran.err
    tens = re.findall(r"INFO (\d+) of 40 templates \(\d+ %\): ", ran.err)
    assert tens == [str(ten) for ten in (10, 20, 30, 40) if ten > before]


def test_watching_shows_look_after_look_until_the_run_ends(sqlite_url: str, tmp_path: Path) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with (
        running_stand_in(templates=30) as stand_in,
        started(stand_in, sqlite_url, *state, RATE_LIMIT_RATE="20"),
    ):
        wait_until(lambda: run_is_entered(sqlite_url, tmp_path / "state"))

        watched = asking(sqlite_url, "status", "--watch", "0.5", "--json")

    looks = [json.loads(line)["run"] for line in watched.out.splitlines()]
    assert watched.status == 0
    assert len(looks) >= 3
    assert [look["standing"] for look in looks[:-1]] == ["live"] * (len(looks) - 1)
    assert looks[-1]["standing"] == "ended"
    counts = [look["processed"] for look in looks]
    assert counts == sorted(counts)
    assert counts[-1] == 30


def test_watching_without_a_terminal_writes_a_block_a_look(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    crawl(stand_in, sqlite_url, "-a", "limit=2")

    watched = asking(sqlite_url, "status", "--watch", "last")

    assert watched.status == 0
    assert watched.out.startswith("run ")
    assert "everything that was expected is accounted for" in watched.out


@pytest.mark.further
@pytest.mark.real_start
def test_on_a_terminal_the_look_is_drawn_in_place(sqlite_url: str, tmp_path: Path) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with (
        running_stand_in(templates=12) as stand_in,
        started(stand_in, sqlite_url, *state, RATE_LIMIT_RATE="6"),
    ):
        wait_until(lambda: run_is_entered(sqlite_url, tmp_path / "state"))

        drawn = on_a_terminal(["status", "--watch", "0.3"], {"DATABASE_URL": sqlite_url}, 100)

    assert "\x1b[1A" in drawn  # it goes back up over what it drew before
    assert "12 of 12 templates (100 %)" in drawn


def test_the_bar_of_a_crawl_fits_into_eighty_columns(sqlite_url: str) -> None:
    with running_stand_in(templates=25) as stand_in:
        environment = {
            **site(stand_in),
            "RATE_LIMIT_RATE": "30",
            "DATABASE_URL": sqlite_url,
        }
        drawn = on_a_terminal(["crawl", "workflows"], environment, 80)

    plain = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", drawn)
    bars = [part.strip("\n") for part in re.split(r"[\r\n]", plain) if "━" in part]
    assert bars
    assert all(len(bar) <= 80 for bar in bars)
    assert any(re.search(r"templates ━+.* 25/25 .*25 complete", bar) for bar in bars)
    assert "25 of 25 templates (100 %) ended" in plain


def test_what_failed_is_had_by_the_same_command_after_retry_failed(
    sqlite_url: str, tmp_path: Path
) -> None:
    # Given a run in which one template could not be had
    state = ("-s", f"JOBDIR={tmp_path}/state", "-s", "RETRY_RULES={}")
    with running_stand_in(templates=6) as stand_in:
        broken = stand_in.ids[2]
        stand_in.control(faults=[{"kind": "403", "path": f"/{broken}$|/{broken}-"}])
        first = crawl(stand_in, sqlite_url, *state)
        shown = asking(sqlite_url, "runs", "show", "last").out
        failures = asking(sqlite_url, "runs", "items", "last", "--state", "blocked", "--json").out

        # When it is made pending again, and the same command runs
        retried = asking(sqlite_url, "runs", "retry-failed", "last")
        stand_in.control(faults=[])
        second = crawl(stand_in, sqlite_url, *state)

    # Then that one is had, in the same run
    assert first.status == 3
    assert "Not had in full (1)" in shown
    assert "blocked, forbidden" in shown
    assert [json.loads(line)["item_id"] for line in failures.splitlines()] == [str(broken)]
    [(run_id,)] = rows(sqlite_url, "SELECT run_id FROM scrape_runs")
    assert retried.status == 0
    assert retried.out.startswith("1 template of run ")
    go_on = f"scrapy crawl workflows -s JOBDIR={tmp_path}/state -s 'RETRY_RULES={{}}'"
    assert retried.out.strip().endswith(f"to go on: {go_on}")
    assert f"To try them again: scrapy runs retry-failed {run_id} && {go_on}" in first.err
    assert second.status == 0, second.err
    assert "1 in " in second.err
    assert rows(sqlite_url, "SELECT count(*) FROM scrape_runs") == [(1,)]
    assert rows(sqlite_url, "SELECT DISTINCT state FROM scrape_run_items") == [("done",)]


def test_runs_are_listed_and_shown_for_people_and_machines(
    stand_in: RunningStandIn, database_url: str
) -> None:
    crawl(stand_in, database_url, "-a", "limit=3")
    crawl(stand_in, database_url, "-a", "limit=2")

    listed = json.loads(asking(database_url, "runs", "list", "--json").out)
    lines = asking(database_url, "runs", "list").out.splitlines()
    shown = read(database_url, "runs", "show", str(listed[0]["run_id"]))
    items = asking(database_url, "runs", "items", "last", "--limit", "1").out

    assert [run["arguments"] for run in listed] == [{"limit": "2"}, {"limit": "3"}]
    assert len(lines) == 2
    assert "finished" in lines[0]
    assert shown["by_category"] == [{"outcome": "complete", "category": None, "number": 2}]
    assert shown["versions"]["n8n-scraper"]  # type: ignore[index]
    assert len(shown["slowest"]) == 2  # type: ignore[arg-type]
    assert "done complete" in items


def test_a_reader_that_has_seen_enough_breaks_nothing(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    crawl(stand_in, sqlite_url, "-a", "limit=3")

    piped = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m scrapy runs items last | true"],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": sqlite_url},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert piped.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("status", "nonsense"), "no run is in this database yet|there is no run"),
        (("status", "--watch", "0"), "write how many seconds"),
        (("status", "a", "b"), "write: scrapy status"),
        (("runs",), "write: scrapy runs list"),
        (("runs", "show", "last"), "no run is in this database yet"),
        (("runs", "items", "last", "--state", "lost"), "write one of pending, claimed"),
        (("runs", "items", "last", "--limit", "many"), "write how many"),
        (("runs", "list", "--state", "done"), "belong to: scrapy runs items"),
    ],
)
def test_input_that_makes_no_sense_is_refused_in_one_line(
    arguments: tuple[str, ...], words: str, sqlite_url: str
) -> None:
    ran = asking(sqlite_url, *arguments)

    assert ran.status == 2
    assert re.search(words, ran.err)
    assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.parametrize("arguments", [("status",), ("status", "--watch"), ("runs", "list")])
def test_without_its_database_a_command_says_so_and_leaves_with_six(
    arguments: tuple[str, ...],
) -> None:
    ran = asking("postgresql://nobody@127.0.0.1:1/none", *arguments)

    assert ran.status == 6
    assert "cannot be used" in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_a_checkpoint_is_written_for_every_fifty_and_at_the_end(
    stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    stand_in.reset()
    ran = crawl(
        stand_in, sqlite_url, "-s", f"JOBDIR={tmp_path}/state",
        "-s", "PROGRESS=off", "-a", "chain=lean",
    )  # fmt: skip

    assert ran.status == 0, ran.err
    folder = tmp_path / "state" / "checkpoints"
    processed = [
        json.loads(path.read_text())["processed"] for path in sorted(folder.glob("*.json"))
    ]
    assert processed == [50, 60]
    newest = read_newest(folder)
    assert newest is not None
    assert (newest["successful"], newest["remaining"], newest["eta_seconds"]) == (60, 0, 0)
    assert 0 < newest["avg_time"] < 10
