"""Find a PostgreSQL server for the tests, or start one from the binaries that are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, make_url


class NoPostgres(Exception):
    """There is no server and no way to start one; its text says what to do."""


@contextmanager
def postgres_server(environment: str = "TEST_DATABASE_URL") -> Iterator[URL]:
    """Give the address of a server: the one that the environment names, else one of our own."""
    if named := os.environ.get(environment):
        yield make_url(named).set(drivername="postgresql+psycopg")
        return
    binaries = _binaries()
    if binaries is None:
        raise NoPostgres(
            f"no PostgreSQL: set {environment}, or install one (Debian: apt install postgresql)"
        )
    with own_server(binaries) as server:
        yield server.url


def _binaries() -> Path | None:
    if found := shutil.which("pg_ctl"):
        real = Path(found).resolve().parent
        if (real / "initdb").exists():
            return real
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return installed[-1].parent if installed else None


class OwnServer:
    """A PostgreSQL server of the tests' own, which they may restart."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._pg_ctl = [binaries / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log"]
        self._user = _unprivileged(folder)
        port = free_port()
        self._options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.url = URL.create(
            "postgresql+psycopg", "postgres", host="127.0.0.1", port=port, database="postgres"
        )
        make = [binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres"]
        _run(make, self._user)

    def start(self) -> None:
        """Start, and wait until it answers."""
        _run([*self._pg_ctl, "-o", self._options, "start"], self._user)

    def stop(self, mode: str = "immediate") -> None:
        """Stop; `immediate` is what a power failure looks like."""
        _run([*self._pg_ctl, "-m", mode, "stop"], self._user)


@contextmanager
def own_server(binaries: Path | None = None) -> Iterator[OwnServer]:
    """Run a server of our own for as long as the block lasts."""
    binaries = binaries or _binaries()
    if binaries is None:
        raise NoPostgres("no PostgreSQL: install one (Debian: apt install postgresql)")
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        server = OwnServer(binaries, Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _unprivileged(folder: Path) -> int | None:
    """PostgreSQL refuses to run as root: give the folder to somebody else then."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
        os.chown(folder, user, -1)
        return user
    raise NoPostgres("no PostgreSQL: it does not run as root, and there is no other user")


def _run(command: list[object], user: int | None) -> None:
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own programs
        [str(part) for part in command], user=user, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoPostgres(f"no PostgreSQL: {command[0]} said {done.stderr.strip()[-300:]}")


def free_port() -> int:
    """Give a port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
