"""Redis, for the pace that workers share and for the queue of their work."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from n8n_scraper.core.extras import WORKERS
from n8n_scraper.core.redis_settings import EXAMPLE, RedisAddress
from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health
from n8n_scraper.stack.service import Service

_PREVENTS = "no work can be handed to workers"
_PROGRAM = "redis-server"
_INSTALL_SERVER = f"apt install {_PROGRAM}"
_DATABASES = 16
"""How many Redis has where nothing else is said."""


def redis(address: RedisAddress | None, folder: Path) -> Service:
    """Give the Redis that workers share."""
    if address is None:
        return _unneeded("redis", "REDIS_URL is empty", _how_to_have_one())
    return _service("redis", address, folder)


def broker(address: RedisAddress | None, shared: RedisAddress | None, folder: Path) -> Service:
    """Give the Redis of the queue where it is another one."""
    if address is None or (shared and shared.place == address.place):
        return _unneeded("broker", "the queue is where REDIS_URL says", "")
    return _service("broker", address, folder)


def _unneeded(name: str, why: str, remedy: str) -> Service:
    return Service(name, _PREVENTS, remedy, check=lambda _: Health.unhealthy(why), unneeded=why)


def _service(name: str, address: RedisAddress, folder: Path) -> Service:
    program = _program(name, address, folder)
    return Service(
        name=name,
        prevents=_PREVENTS,
        remedy=_remedy(address, is_startable=program is not None),
        check=partial(ping, address),
        program=program,
        port=(_host(address), address.port),
    )


def ping(address: RedisAddress, seconds: float) -> Health:
    """Ask for a PONG."""
    if line := WORKERS.missing():
        return Health.unhealthy(line)
    from redis import Redis, RedisError
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    try:
        with Redis.from_url(
            address.url,
            socket_timeout=seconds,
            socket_connect_timeout=seconds,
            retry=Retry(NoBackoff(), 0),
        ) as client:
            client.ping()
    except (RedisError, OSError) as error:
        return Health.unhealthy(f"no Redis answers at {address.place}: {str(error).rstrip('.')}")
    return Health.healthy(f"answers at {address.place}")


def _how_to_have_one() -> str:
    return ", then ".join([*_lacking(is_here=True), f"export REDIS_URL={EXAMPLE}"])


def _lacking(*, is_here: bool) -> list[str]:
    """Say how to install what is not there; the server only where it is one of this machine."""
    steps = [WORKERS.install] if WORKERS.missing() else []
    return [*steps, _INSTALL_SERVER] if is_here and not shutil.which(_PROGRAM) else steps


def _remedy(address: RedisAddress, *, is_startable: bool) -> str:
    steps = _lacking(is_here=address.is_here)
    if steps or is_startable:
        return ", then ".join(steps)
    return f"start a Redis at {address.place}, or name another one"


def _program(name: str, address: RedisAddress, folder: Path) -> Program | None:
    """Run one of our own: only where no other machine could reach it, and where there is one."""
    server = shutil.which(_PROGRAM)
    if server is None or not address.is_here or address.is_encrypted or address.user:
        return None
    file = folder / f"{name}.conf"
    return Program((server, str(file)), prepare=partial(_write_configuration, file, address))


def _write_configuration(file: Path, address: RedisAddress) -> None:
    lines = [
        f"bind {_host(address)}",
        f"port {address.port}",
        f"databases {max(_DATABASES, address.database + 1)}",
        "daemonize no",
        # Nothing in it is the only copy of anything: the ledger is in the database.
        'save ""',
        "appendonly no",
        "maxmemory-policy noeviction",
        # It would write the title over its environment, in which our mark is.
        "set-proc-title no",
    ]
    if address.password:
        lines.append(f"requirepass {_quoted(address.password)}")
    file.touch(mode=0o600)
    file.write_text("\n".join([*lines, ""]))


def _host(address: RedisAddress) -> str:
    """The very address, where a name stands for two."""
    return "127.0.0.1" if address.host == "localhost" else address.host


def _quoted(text: str) -> str:
    """Write a text so that Redis reads every sign of it as it is."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in text.encode()) + '"'
