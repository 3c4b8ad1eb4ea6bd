"""The server of language models, for whatever asks one."""

from __future__ import annotations

import shutil
from functools import partial
from http import HTTPStatus
from urllib.parse import SplitResult, urlsplit

from n8n_scraper.policies.safety.private_network import is_this_machine
from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.services.http import NoAnswer, status_of

_PORTS = {"http": 80, "https": 443}
_PROGRAM = "ollama"


def models(url: str) -> Service:
    """Give the server that an address names; an Ollama of this machine can be started."""
    name, prevents = "models", "nothing that asks a language model is done"
    if not url:
        why = "MODEL_SERVER_URL is empty"
        return Service(name, prevents, "", check=lambda _: Health.unhealthy(why), unneeded=why)
    parts = urlsplit(url)
    program = _program(parts)
    return Service(
        name=name,
        prevents=prevents,
        remedy="" if program else _remedy(parts),
        check=partial(_ask, parts),
        program=program,
        port=_place(parts),
    )


def _ask(parts: SplitResult, seconds: float) -> Health:
    """Ask for the server's page."""
    host, port = _place(parts)
    path, encrypted = parts.path or "/", parts.scheme == "https"
    try:
        status = status_of(host, port, path, seconds, encrypted=encrypted)
    except NoAnswer as error:
        return Health.unhealthy(f"no model server answers at {host}:{port}: {error}")
    if status != HTTPStatus.OK:
        return Health.unhealthy(f"{host}:{port} answers with status {status}")
    return Health.healthy(f"answers at {host}:{port}")


def _place(parts: SplitResult) -> tuple[str, int]:
    return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def _program(parts: SplitResult) -> Program | None:
    program = shutil.which(_PROGRAM)
    host, port = _place(parts)
    if program is None or parts.scheme != "http" or not is_this_machine(host):
        return None
    return Program((program, "serve"), {"OLLAMA_HOST": f"{host}:{port}"})


def _remedy(parts: SplitResult) -> str:
    if is_this_machine(_place(parts)[0]) and shutil.which(_PROGRAM) is None:
        return f"install {_PROGRAM}: https://ollama.com/download"
    return f"start the server that MODEL_SERVER_URL names, {parts.geturl()}"
