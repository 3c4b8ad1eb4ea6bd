"""Start what is not healthy, in order; stop what was started, in reverse; touch nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from n8n_scraper.core.errors import BadInput, NotHealthy
from n8n_scraper.stack.children import Children, Program
from n8n_scraper.stack.health import Health, State
from n8n_scraper.stack.notes import Ours
from n8n_scraper.stack.ports import holder, is_taken
from n8n_scraper.stack.processes import Process
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.signals import as_exceptions, held_off
from n8n_scraper.stack.turns import turn

_ANSWER_SECONDS = 2.0
"""How long an answer is waited for; anything healthy takes a thousandth of it."""

_SOON_SECONDS = 0.5
"""The same for what has just been started: a question that came too early is asked again."""

_LOOK_AGAIN_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Standing:
    """How one service stands, and what of it is ours."""

    service: Service
    health: Health
    ours: Ours | None = None
    was_started: bool = False

    @property
    def process(self) -> Process | None:
        """The process that was started for it, if it lives."""
        return self.ours.main if self.ours else None


@dataclass(frozen=True, slots=True)
class Stopped:
    """What came of stopping one service."""

    service: Service
    process: Process | None
    """The one that was stopped; None where it had ended before."""
    left: Process | None
    """One that may be ours and still lives."""


class Stack:
    """The services that work needs besides the crawl itself.

    As a context manager it leaves the machine as it has found it: what it has started ends with
    the block, by whatever way that ends, and where this process is killed, the kernel ends it.
    Signals are heeded where the main thread enters it.
    """

    def __init__(self, services: Sequence[Service], folder: Path, patience_seconds: float) -> None:
        self._services = services
        self._folder = folder
        self._patience_seconds = patience_seconds
        self._children = Children(folder)
        self._started: list[Service] = []
        self._block = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as block:
            block.enter_context(as_exceptions())
            block.callback(self._take_back)
            self._bring_all_up(lambda _: None, tied=True)
            self._block = block.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._block.close()

    def look(self) -> Iterator[Standing]:
        """Tell how each service stands; nothing is started, and nothing changed."""
        seen: dict[str, Health] = {}
        for service in self._services:
            lacking = [name for name in service.needs if not seen[name].is_ready]
            health = _health_of(service, lacking)
            seen[service.name] = health
            yield Standing(service, health, self._children.find(service.name))

    def up(self, tell: Callable[[Standing], None] = lambda _: None) -> None:
        """Start what is needed and not healthy, in order; it goes on when this process ends.

        Where a service cannot be had, or a signal comes, what was started until then ends again.
        """
        with as_exceptions():
            try:
                self._bring_all_up(tell, tied=False)
            except BaseException:
                self._take_back()
                raise

    def down(self, tell: Callable[[Stopped], None] = lambda _: None) -> None:
        """Stop whatever was started here, in reverse, by this process or by one before it."""
        _check_platform()
        if self._folder.is_dir():
            with turn(self._folder):
                for service in reversed(self._services):
                    if stopped := self._stop(service):
                        tell(stopped)

    def _bring_all_up(self, tell: Callable[[Standing], None], *, tied: bool) -> None:
        _check_platform()
        with turn(self._folder):
            for service in self._services:
                tell(self._bring_up(service, tied=tied))

    def _bring_up(self, service: Service, *, tied: bool) -> Standing:
        health = _health_of(service)
        if service.program and health.state is State.UNHEALTHY:
            self._start(service, service.program, health, tied=tied)
        elif service.make and health.state in (State.UNHEALTHY, State.TO_BE_MADE):
            service.make()
        elif not health.is_ready:
            raise NotHealthy(f"{service.name}: {health.words}. {service.remedy}".rstrip(". ") + ".")
        else:
            return Standing(service, health, self._children.find(service.name))
        health = self._wait_for(service)
        return Standing(service, health, self._children.find(service.name), was_started=True)

    def _start(self, service: Service, program: Program, health: Health, *, tied: bool) -> None:
        if left := self._children.end(service.name, self._patience_seconds):
            raise NotHealthy(f"{service.name}: {health.words}, and {_of_unclear(left)}.")
        if service.port and is_taken(*service.port):
            who = holder(service.port[1])
            raise NotHealthy(
                f"{service.name}: {health.words}. Its port is held by {who}, which is left alone: "
                "stop it, or name another port."
            )
        self._started.append(service)
        self._children.start(service.name, program, tied=tied)

    def _wait_for(self, service: Service) -> Health:
        deadline = time.monotonic() + self._patience_seconds
        while (health := service.check(_SOON_SECONDS)).state is not State.HEALTHY:
            if service.program and (end := self._children.end_of(service.name)):
                raise NotHealthy(f"{service.name}: {end}")
            if time.monotonic() > deadline:
                raise NotHealthy(
                    f"{service.name}: not healthy within {self._patience_seconds:g} seconds "
                    f"(STACK_PATIENCE): {health.words}."
                )
            time.sleep(_LOOK_AGAIN_SECONDS)
        return health

    def _take_back(self) -> None:
        """Stop what this process has started."""
        if not self._started:
            return
        with held_off(), turn(self._folder):
            while self._started:
                self._stop(self._started[-1])
                self._started.pop()

    def _stop(self, service: Service) -> Stopped | None:
        ours = self._children.find(service.name)
        if ours is None:
            return None
        left = self._children.end(service.name, self._patience_seconds)
        return Stopped(service, ours.main, left)


def _health_of(service: Service, lacking: Sequence[str] = ()) -> Health:
    if service.unneeded:
        return Health(State.NOT_NEEDED, service.unneeded)
    if lacking:
        return Health.unhealthy(f"{' and '.join(lacking)} cannot be asked about it")
    return service.check(_ANSWER_SECONDS)


def _of_unclear(process: Process) -> str:
    return f"process {process.pid} may be ours, but cannot be looked at: it is left alone"


def _check_platform() -> None:
    if not hasattr(os, "pidfd_open"):
        raise BadInput(
            "scrapy stack starts and stops processes by means that only Linux has (5.3 or newer); "
            "elsewhere start them yourself, or use compose.yaml."
        )
