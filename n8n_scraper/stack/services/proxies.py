"""The proxies that a crawl goes through, and the rotator that may stand before them."""

from __future__ import annotations

import shutil
from functools import partial

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.policies.proxies.mubeng import PROGRAM, mubeng_command
from n8n_scraper.policies.proxies.proxy import Proxy
from n8n_scraper.policies.safety.private_network import is_this_machine
from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.services.http import NoAnswer, status_of

_PREVENTS = "nothing can be asked of a site"


def proxies(settings: ProxySettings) -> Service:
    """Give the list of proxies: there have to be enough."""
    if not (settings.named or settings.file):
        return _unneeded("proxies", "PROXIES is empty")
    place = settings.file or "PROXIES"
    return Service(
        name="proxies",
        prevents=_PREVENTS,
        remedy=f"renew the list in {place}, or lower MIN_PROXIES",
        check=partial(_count, settings),
    )


def rotator(settings: ProxySettings) -> Service:
    """Give the proxy behind which others are; a mubeng of this machine can be started."""
    if settings.rotator is None:
        return _unneeded("rotator", "PROXY_ROTATOR_URL is empty")
    command, remedy = _mubeng(settings, settings.rotator)
    return Service(
        name="rotator",
        prevents=_PREVENTS,
        remedy=remedy,
        check=partial(_ask, settings.rotator),
        program=Program(command) if command else None,
        port=(settings.rotator.host, settings.rotator.port),
    )


def _unneeded(name: str, why: str) -> Service:
    return Service(name, _PREVENTS, "", check=lambda _: Health.unhealthy(why), unneeded=why)


def _count(settings: ProxySettings, _seconds: float) -> Health:
    """Count the list; how each of them does, a crawl finds out."""
    try:
        found = len(settings.read())
    except BadInput as error:
        return Health.unhealthy(str(error).rstrip("."))
    if found < settings.least:
        return Health.unhealthy(f"{found} in the list, fewer than MIN_PROXIES ({settings.least})")
    return Health.healthy(f"{found} in the list")


def _ask(rotator: Proxy, seconds: float) -> Health:
    """Ask it as if it were a site: whatever a proxy says to that, it says by HTTP."""
    try:
        status_of(rotator.host, rotator.port, "/", seconds)
    except NoAnswer as error:
        return Health.unhealthy(f"no proxy answers at {rotator.name}: {error}")
    return Health.healthy(f"answers at {rotator.name}")


def _mubeng(settings: ProxySettings, rotator: Proxy) -> tuple[tuple[str, ...], str]:
    """Give the command that starts mubeng for a file of proxies, or what else has to be done."""
    if not settings.file or not is_this_machine(rotator.host):
        return (), f"start the rotator at {rotator.name}"
    if shutil.which(PROGRAM) is None:
        return (), f"install {PROGRAM}: https://github.com/mubeng/mubeng"
    try:
        return tuple(mubeng_command(rotator, settings.file, settings.read_file())), ""
    except BadInput as error:
        return (), str(error).rstrip(".")
