"""How the services stand, in words and as JSON."""

import json

from n8n_scraper.commands.standings import as_json, line_of, preflight_lines, stopped_line
from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health, State
from n8n_scraper.stack.notes import Ours
from n8n_scraper.stack.processes import Process
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.stack import Standing, Stopped

PROCESS = Process(4711, 1, 1)
OURS = Ours(PROCESS, ())


def service(remedy: str = "", program: Program | None = None) -> Service:
    return Service(
        name="redis",
        prevents="no work can be handed to workers",
        remedy=remedy,
        check=lambda _: Health.healthy(""),
        program=program,
    )


def test_a_line_has_the_state_the_reason_and_the_process_that_is_ours() -> None:
    healthy = Standing(service(), Health.healthy("answers"), OURS)

    assert line_of(healthy) == "redis     healthy      answers (started here, process 4711)"


def test_what_was_started_just_now_is_told() -> None:
    started = Standing(service(), Health.healthy("answers"), OURS, was_started=True)

    assert line_of(started).split()[:2] == ["redis", "started"]


def test_what_is_missing_is_told_with_what_it_prevents_and_how_to_get_it() -> None:
    missing = Standing(service("apt install redis-server"), Health.unhealthy("is not there"))

    assert [line.strip() for line in preflight_lines([missing])] == [
        "redis     not healthy  is not there",
        "without it: no work can be handed to workers",
        "to have it: apt install redis-server",
    ]


def test_what_up_would_start_is_told_so() -> None:
    startable = Standing(service(program=Program(("x",))), Health.unhealthy("is not there"))

    assert list(preflight_lines([startable]))[-1].strip() == "to have it: scrapy stack up"


def test_what_is_not_needed_prevents_nothing_but_can_be_had() -> None:
    unneeded = Standing(service("export X=y"), Health(State.NOT_NEEDED, "X is empty"))

    assert [line.strip() for line in preflight_lines([unneeded])] == [
        "redis     not needed   X is empty",
        "to have it: export X=y",
    ]


def test_of_what_is_healthy_nothing_more_is_said() -> None:
    healthy = Standing(service("apt install redis-server"), Health.healthy("answers"))

    assert len(list(preflight_lines([healthy]))) == 1


def test_a_machine_is_told_the_same() -> None:
    healthy = Standing(service(), Health.healthy("answers"), OURS)
    missing = Standing(service("apt install redis-server"), Health.unhealthy("is not there"))

    said = json.loads(as_json([healthy, missing]))

    assert said["ready"] is False
    assert [one["state"] for one in said["services"]] == ["healthy", "not healthy"]
    assert [one["started_here"] for one in said["services"]] == [4711, None]
    assert [one["remedy"] for one in said["services"]] == [None, "apt install redis-server"]


def test_work_can_begin_where_something_is_only_to_be_made() -> None:
    to_be_made = Standing(service(), Health(State.TO_BE_MADE, "is not there yet"))

    assert json.loads(as_json([to_be_made]))["ready"] is True


def test_what_came_of_stopping_is_told() -> None:
    assert stopped_line(Stopped(service(), PROCESS, None)) == "redis     stopped, process 4711"
    assert stopped_line(Stopped(service(), None, None)) == "redis     had ended before"
    assert "process 4711 may be ours" in stopped_line(Stopped(service(), None, PROCESS))
