"""How each proxy does: what a crawl notes in a file for others to read, without credentials."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import BadInput

if TYPE_CHECKING:
    from n8n_scraper.policies.proxies.pool import ProxyPool


@dataclass(frozen=True, slots=True)
class ProxyHealth:
    """What became of the requests that one proxy carried in a crawl."""

    name: str
    requests: int
    worked: int
    failed: int
    in_a_row: int
    """Failures since it last worked."""
    rests_for_seconds: float
    """How long it is left out still, from the moment of the note."""
    fault: str | None
    """What it last did wrong."""


@dataclass(frozen=True, slots=True)
class Note:
    """All proxies of a crawl at one moment."""

    at: str
    proxies: tuple[ProxyHealth, ...] = ()


def note_health(file: str, pool: ProxyPool, now: float) -> None:
    """Write down how the proxies do; a reader sees the whole note or the one before."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_text(json.dumps(asdict(_note(pool, now)), indent=1) + "\n", "utf-8")
    unfinished.replace(path)


def read_health(file: str) -> Note | None:
    """Read the newest note; None where no crawl has made any."""
    try:
        given = json.loads(Path(file).read_text("utf-8"))
        return Note(given["at"], tuple(ProxyHealth(**one) for one in given["proxies"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"PROXY_HEALTH_FILE {file} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        raise BadInput(f"PROXY_HEALTH_FILE {file} is no note of a crawl.") from None


def _note(pool: ProxyPool, now: float) -> Note:
    known = (
        ProxyHealth(
            name=proxy.name,
            requests=health.requests,
            worked=health.worked,
            failed=health.failed,
            in_a_row=health.in_a_row,
            rests_for_seconds=round(max(health.rests_until - now, 0.0), 1),
            fault=health.fault,
        )
        for proxy, health in pool.health()
    )
    return Note(utc_now(), tuple(known))
