"""What a stand-in that is held up says of its own lateness."""

import os
import signal
import subprocess
import threading
import time
from typing import Any

import pytest

from n8n_scraper.testing.clock import MovableClock
from n8n_scraper.testing.replica import running
from n8n_scraper.testing.replica.lateness import Lateness
from n8n_scraper.testing.stand_in import running_stand_in
from tests.replica.client import detail, get
from tests.server_side import overdraft


def test_one_that_ticks_in_time_is_never_late() -> None:
    clock = MovableClock()
    lateness = Lateness(clock)

    for _ in range(3):
        lateness.tick()
        assert lateness.at(clock()) == 0
        clock.move(0.02)
        assert lateness.at(clock()) == 0


def test_before_its_first_tick_nothing_is_said_of_it() -> None:
    assert Lateness(MovableClock()).at(1000.0) == 0


def test_what_is_heard_before_the_late_tick_and_just_behind_it_may_have_waited() -> None:
    clock = MovableClock()
    lateness = Lateness(clock)
    lateness.tick()

    clock.move(0.02 + 0.3)

    assert lateness.at(clock()) == pytest.approx(0.3)
    lateness.tick()
    assert lateness.at(clock()) == pytest.approx(0.3)
    assert lateness.at(clock() + 0.04) == pytest.approx(0.3)
    for _ in range(3):
        clock.move(0.02)
        lateness.tick()
    assert lateness.at(clock()) == 0


def test_a_crowd_that_takes_its_time_is_still_that_of_the_hold_up_before() -> None:
    clock = MovableClock()
    lateness = Lateness(clock)
    lateness.tick()
    clock.move(0.02 + 0.3)
    lateness.tick()

    for _ in range(4):
        clock.move(0.02 + 0.02)
        lateness.tick()
        assert lateness.at(clock()) == pytest.approx(0.3)


def test_a_crowd_that_is_held_up_again_is_still_that_of_the_hold_up_before() -> None:
    clock = MovableClock()
    lateness = Lateness(clock)
    lateness.tick()
    clock.move(0.02 + 0.3)
    lateness.tick()

    clock.move(0.02 + 0.1)

    assert lateness.at(clock()) == pytest.approx(0.3)
    clock.move(1.0)
    assert lateness.at(clock()) == pytest.approx(1.1)


def test_a_crowd_that_a_held_up_site_lets_in_is_no_overdraft(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[subprocess.Popen[str]] = []

    def start(*command: Any, **options: Any) -> subprocess.Popen[str]:
        begun.append(subprocess.Popen(*command, **options))
        return begun[-1]

    monkeypatch.setattr(running, "start", start)
    with running_stand_in(templates=8) as stand_in:
        for number in stand_in.ids:
            get(stand_in.url, detail(number))
        stand_in.reset()
        get(stand_in.url, detail(stand_in.ids[0]))

        # Given requests at an even pace of twenty a second, while the site has no processor
        os.kill(begun[0].pid, signal.SIGSTOP)
        asked = [
            threading.Thread(target=get, args=(stand_in.url, detail(number)))
            for number in stand_in.ids
        ]
        for thread in asked:
            thread.start()
            time.sleep(0.05)
        os.kill(begun[0].pid, signal.SIGCONT)
        for thread in asked:
            thread.join()
        log = stand_in.log()

    # Then they come in a crowd, and the log says why
    assert overdraft(log, 20, 1) <= 1
    assert overdraft([record | {"late": 0.0} for record in log], 20, 1) > 4
