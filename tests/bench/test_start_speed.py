"""What a person waits for before a command begins: its CPU time, beside that of a bare Scrapy."""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from n8n_scraper.ledger.database import Database
from tests.crawling import PROJECT

ROUNDS = 5
MOST = {  # times the CPU of a bare Scrapy
    "version": 1.25,  # finding the commands and nothing else
    "list": 1.35,  # ... and the spiders
    "crawl nowhere": 1.25,  # the same
    "crawl workflows -a limit=x": 1.5,  # ... and all settings checked, the database's address too
    "status": 1.6,  # ... and the tables, to ask the database
}


def cpu_seconds(command: str, folder: Path, url: str) -> float:
    """User and system time of one `scrapy …`, in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "scrapy", *command.split()],
        cwd=folder,
        env={**os.environ, "DATABASE_URL": url},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


@pytest.mark.long
@pytest.mark.full_speed
def test_commands_start_almost_as_soon_as_scrapy_itself(tmp_path: Path) -> None:
    # Given an archive without a run, and a folder that is no project
    url = f"sqlite:///{tmp_path}/a.db"
    database = Database(url)
    database.open()
    database.close()

    # When they start in turn, so that a busy machine is busy for all of them
    places = {"bare": ("version", tmp_path), **{name: (name, PROJECT) for name in MOST}}
    used = {name: [] for name in places}
    for _ in range(ROUNDS):
        for name, (command, folder) in places.items():
            used[name].append(cpu_seconds(command, folder, url))
    seconds = {name: median(each) for name, each in used.items()}

    # Then each takes what its work must import, and no more
    for name, took in seconds.items():
        print(f"\n{name}: {took:.2f} s of CPU, {took / seconds['bare']:.2f} times Scrapy's own")
    for name, most in MOST.items():
        assert seconds[name] <= most * seconds["bare"], name
