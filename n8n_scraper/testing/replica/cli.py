"""Reads the command line of a stand-in and runs it until it is told to stop."""

import argparse
import asyncio
import signal
import sys
from typing import Any, NoReturn, TextIO

from pydantic import ValidationError

from n8n_scraper.testing.replica.control import one_line
from n8n_scraper.testing.replica.script import Script
from n8n_scraper.testing.replica.server import StandIn, StandInServer
from n8n_scraper.testing.replica.switches import Switches

DEFAULT_PORT = 8808
EXIT_USAGE = 2

_HIGHEST_PORT = 65_535


class UsageError(ValueError):
    """An argument cannot be used; raised while reading, told in one line."""


class OneLineParser(argparse.ArgumentParser):
    """Complains in one line, without the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong and end."""
        sys.exit(complain(message))


def main(script: Script[Any]) -> int:
    """Read the command line of one stand-in and serve."""
    parser = OneLineParser(
        prog=f"python -m {script.module}", description=f"Runs the stand-in of {script.name}."
    )
    add_arguments(parser)
    add_size(parser, script.noun)
    return serve_until_stopped(script, parser.parse_args())


def add_size(parser: argparse.ArgumentParser, noun: str) -> None:
    """Add the option that says how large the stock is."""
    parser.add_argument(f"--{noun}", help=f"how many {noun}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of every stand-in; values stay text until ``serve_until_stopped``."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", default=str(DEFAULT_PORT), help="port, 0 for a free one")
    parser.add_argument("--seed", help="another seed, another stock")
    parser.add_argument("--latency-ms", help="time before each answer")
    parser.add_argument("--enforce-rate", help="requests per second before 429 is answered")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND=SHARE[:TIMES][@REGEX]",
        help="let a share of paths fail (may be repeated)",
    )
    parser.add_argument(
        "--until-stdin-closes", action="store_true", help="stop when whoever started it is gone"
    )


def serve_until_stopped(script: Script[Any], options: argparse.Namespace) -> int:
    """Run a stand-in in the foreground and return the exit status."""
    try:
        port = _whole("--port", options.port, 0, _HIGHEST_PORT)
        stand_in = _made(script, options)
        watched = sys.stdin if options.until_stdin_closes else None
        asyncio.run(_serve(stand_in, options.host, port, watched))
    except UsageError as problem:
        return complain(str(problem))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        return complain(f"cannot listen on {options.host}:{options.port}: {reason}")
    except KeyboardInterrupt:
        return 0
    return 0


def complain(problem: str) -> int:
    """Tell in one line what is wrong, and return the exit status for that."""
    sys.stderr.write(f"replica: {problem}\n")
    return EXIT_USAGE


def read_fault(text: str) -> dict[str, Any]:
    """Read ``KIND=SHARE[:TIMES][@REGEX]``; several kinds are joined with ``+``."""
    head, _, path = text.partition("@")
    kinds, equals, amount = head.partition("=")
    share, _, times = amount.partition(":")
    if not equals:
        raise UsageError(f"--fault {text!r} is not of the form KIND=SHARE[:TIMES][@REGEX]")
    rule: dict[str, Any] = {"kinds": kinds.split("+"), "share": share, "path": path}
    return rule | ({"times": times} if times else {})


def _made(script: Script[Any], options: argparse.Namespace) -> StandIn:
    size, seed = getattr(options, script.noun), options.seed
    return StandIn(
        script,
        script.size if size is None else _whole(f"--{script.noun}", size, 1),
        script.seed if seed is None else _whole("--seed", seed, 0),
        _switches(script, options),
    )


async def _serve(stand_in: StandIn, host: str, port: int, watched: TextIO | None) -> None:
    server = StandInServer(stand_in, host, port)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await server.start()
    if watched is not None:
        loop.add_reader(watched, _stop_at_end, watched, stopped)
    _announce(server)
    await stopped.wait()
    await server.stop()


def _announce(server: StandInServer) -> None:
    stand_in = server.stand_in
    script = stand_in.script
    size = f"{stand_in.size} {script.noun}, seed {stand_in.seed}"
    sys.stdout.write(
        f"The stand-in of {script.name} answers at {server.url}/ ({size}). Stop it with Ctrl-C.\n"
    )
    sys.stdout.flush()


def _stop_at_end(watched: TextIO, stopped: asyncio.Event) -> None:
    if not watched.buffer.raw.read(1):  # type: ignore[attr-defined]  # raw is missing in the stubs
        stopped.set()


def _switches(script: Script[Any], options: argparse.Namespace) -> Switches:
    given: dict[str, Any] = {"faults": [read_fault(text) for text in options.fault]}
    for name in ("latency_ms", "enforce_rate"):
        if (value := getattr(options, name)) is not None:
            given[name] = value
    try:
        return script.switches.model_validate(given)
    except ValidationError as problem:
        raise UsageError(one_line(problem)) from None


def _whole(name: str, text: str, least: int, most: int | None = None) -> int:
    limits = f"from {least}" if most is None else f"from {least} to {most}"
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least or (most is not None and number > most):
        raise UsageError(f"{name} must be a whole number {limits}, not {text!r}")
    return number
