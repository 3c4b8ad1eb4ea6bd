"""A real n8n in a folder of its own, whose templates host is ours."""

import os
import secrets
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests

from n8n_scraper.testing.postgres import free_port

HOME = Path(os.environ.get("N8N_HOME", ".n8n")).resolve()
_OFF = (
    *("DIAGNOSTICS", "VERSION_NOTIFICATIONS", "VERSION_NOTIFICATIONS_WHATS_NEW", "PERSONALIZATION"),
    *("HIRING_BANNER", "DYNAMIC_BANNERS", "LICENSE_AUTO_RENEW", "COMMUNITY_PACKAGES"),
    "VERIFIED_PACKAGES",
)
_STARTS_SECONDS = 180.0


def is_installed() -> bool:
    """Whether `scripts/n8n.sh` has been run."""
    return (HOME / "n8n").exists()


@dataclass(frozen=True)
class RealN8n:
    """An n8n that answers, and its first user."""

    url: str
    email: str
    password: str


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What n8n is started with: nothing asked of anybody but us."""
    own = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "N8N_USER_FOLDER": str(folder),
        "DB_TYPE": "sqlite",
        "N8N_SECURE_COOKIE": "false",
        **{f"N8N_{name}_ENABLED": "false" for name in _OFF},
    }
    return own | more


@contextmanager
def running(folder: Path, templates_host: str) -> Iterator[RealN8n]:
    """Start n8n with an own database, and set up its owner."""
    port = free_port()
    log = (folder / "n8n.log").open("wb")
    started = subprocess.Popen(
        [HOME / "n8n", "start"],
        env=environment(
            folder,
            N8N_TEMPLATES_HOST=templates_host,
            N8N_LISTEN_ADDRESS="127.0.0.1",
            N8N_PORT=str(port),
        ),
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(f"{url}/healthz/readiness", started)
        yield _owned(url)
    finally:
        os.killpg(started.pid, 9)
        started.wait()
        log.close()


def _wait_for(url: str, started: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _STARTS_SECONDS
    while time.monotonic() < until:
        assert started.poll() is None, "n8n ended while it started"
        try:
            if requests.get(url, timeout=5).ok:
                return
        except (requests.ConnectionError, requests.Timeout):
            pass
        time.sleep(0.5)
    raise TimeoutError(f"n8n is not ready after {_STARTS_SECONDS:g} s")


def _owned(url: str) -> RealN8n:
    owner = RealN8n(url, "owner@example.org", f"Aa1{secrets.token_hex(8)}")
    answer = requests.post(
        f"{url}/rest/owner/setup",
        json={
            "email": owner.email,
            "firstName": "Ada",
            "lastName": "L",
            "password": owner.password,
        },
        timeout=60,
    )
    answer.raise_for_status()
    return owner
