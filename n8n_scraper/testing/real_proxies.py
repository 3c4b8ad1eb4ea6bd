"""Run tinyproxy and squid, as Debian has them, on free ports of this machine."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from n8n_scraper.testing.postgres import free_port

# As tinyproxy writes it, and as squid does.
_ASKED = re.compile(r"(?:\(file descriptor \d+\): |/\d{3} \d+ )([A-Z]+ \S+)")
_START_SECONDS = 20.0
_LOOK_EVERY_SECONDS = 0.02


class NoProxyProgram(Exception):
    """A program is not installed; its text says how to install it."""


@dataclass(frozen=True, slots=True)
class RealProxy:
    """A running proxy, and the file that it writes its log to."""

    port: int
    log: Path

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Where it stands."""
        return f"http://{self.address}"

    def with_password(self, user: str, password: str) -> str:
        """Where it stands, for one who may use it."""
        return f"http://{user}:{password}@{self.address}"

    @property
    def asked(self) -> list[str]:
        """What it was asked for, by its own log: the method and what follows it."""
        return _ASKED.findall(self.log.read_text(errors="replace"))


@contextmanager
def tinyproxy(user: str = "", password: str = "", *, port: int = 0) -> Iterator[RealProxy]:
    """Run tinyproxy until the block ends; with a user only that one may use it."""
    program = _program("tinyproxy")
    credentials = f"BasicAuth {user} {password}\n" if user else ""

    def settings(port: int, folder: Path) -> str:
        return (
            f"Port {port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 100\nAllow 127.0.0.1\n"
            f'LogFile "{folder}/log"\nLogLevel Connect\nPidFile "{folder}/pid"\n{credentials}'
        )

    with _running([program, "-d", "-c"], port or free_port(), settings) as proxy:
        yield proxy


@contextmanager
def squid(user: str = "", password: str = "", *, port: int = 0) -> Iterator[RealProxy]:
    """Run squid until the block ends; with a user only that one may use it."""
    program = _program("squid")

    def settings(port: int, folder: Path) -> str:
        allowed = "localhost"
        lines = [f"http_port 127.0.0.1:{port}"]
        if user:
            (folder / "passwords").write_text(f"{user}:{_hashed(password)}\n")
            helper = "/usr/lib/squid/basic_ncsa_auth"
            lines += [
                f"auth_param basic program {helper} {folder}/passwords",
                "auth_param basic children 1",
                "acl known proxy_auth REQUIRED",
            ]
            allowed = "known"
        lines += [
            f"http_access allow {allowed}",
            "http_access deny all",
            "cache deny all",
            "visible_hostname squid.example",
            f"pid_filename {folder}/pid",
            f"cache_log {folder}/cache.log",
            f"access_log stdio:{folder}/log",
            "netdb_filename none",
            f"coredump_dir {folder}",
            "pinger_enable off",
            "shutdown_lifetime 0 seconds",
            "max_filedescriptors 1024",  # it sets aside memory for as many as the system allows
        ]
        return "\n".join([*lines, ""])

    with _running([program, "-N", "-f"], port or free_port(), settings) as proxy:
        yield proxy


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        raise NoProxyProgram(f"no {name}: install it (Debian: apt install {name})")
    return found


def _hashed(password: str) -> str:
    made = subprocess.run(  # noqa: S603 - a program of the tests
        [_program("openssl"), "passwd", "-apr1", password],
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout.strip()


@contextmanager
def _running(
    command: Sequence[str], port: int, settings: Callable[[int, Path], str]
) -> Iterator[RealProxy]:
    with tempfile.TemporaryDirectory(prefix="proxy") as name:
        folder = Path(name)
        (folder / "log").touch()
        (folder / "settings").write_text(settings(port, folder))
        _give_away(folder)
        output = (folder / "output").open("wb")
        with (
            output,
            subprocess.Popen(  # noqa: S603 - a program of the tests
                [*command, str(folder / "settings")],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # the terminal's Ctrl-C is for whoever uses it
            ) as child,
        ):
            try:
                _wait_for(port, child, folder / "output")
                yield RealProxy(port, folder / "log")
            finally:
                child.terminate()
                try:
                    child.wait(_START_SECONDS)
                except subprocess.TimeoutExpired:
                    child.kill()


def _give_away(folder: Path) -> None:
    """Squid does not stay root: give the folder to the user that it becomes."""
    if os.geteuid() != 0:
        return
    try:
        user = pwd.getpwnam("proxy").pw_uid
    except KeyError:
        return
    for path in (folder, *folder.iterdir()):
        os.chown(path, user, -1)


def _wait_for(port: int, child: subprocess.Popen[bytes], output: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and child.poll() is None:
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(_LOOK_EVERY_SECONDS)
    raise NoProxyProgram(f"it did not start: {output.read_text(errors='replace')[-300:]}")
