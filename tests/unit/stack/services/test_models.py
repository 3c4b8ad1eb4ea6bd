"""The server of models as a service; real servers, and a program that stands in for Ollama."""

import socket
import sys
from pathlib import Path
from threading import Thread

import pytest

from n8n_scraper.stack.health import Health, State
from n8n_scraper.stack.services.models import models
from n8n_scraper.stack.stack import Stack
from n8n_scraper.testing.postgres import free_port
from tests.unit.stack.running import PATIENCE, serving


def test_one_that_answers_is_healthy() -> None:
    with serving(200) as port:
        assert models(f"http://127.0.0.1:{port}").check(PATIENCE) == Health.healthy(
            f"answers at 127.0.0.1:{port}"
        )


def test_one_that_answers_with_an_error_is_not() -> None:
    with serving(503) as port:
        health = models(f"http://127.0.0.1:{port}/").check(PATIENCE)

    assert health == Health.unhealthy(f"127.0.0.1:{port} answers with status 503")


def test_nobody_answering_is_told_with_the_place() -> None:
    port = free_port()

    assert (
        models(f"http://127.0.0.1:{port}")
        .check(PATIENCE)
        .words.startswith(f"no model server answers at 127.0.0.1:{port}: ")
    )


def test_what_hangs_up_without_a_word_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=lambda: listener.accept()[0].close())
        thread.start()
        health = models(f"http://127.0.0.1:{listener.getsockname()[1]}").check(PATIENCE)
        thread.join()

    assert health.state is State.UNHEALTHY


def test_without_an_address_it_is_not_needed() -> None:
    assert models("").unneeded == "MODEL_SERVER_URL is empty"


def test_one_elsewhere_is_only_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_ollama(tmp_path, monkeypatch)

    service = models("http://10.0.0.5:11434")

    assert service.program is None
    assert service.remedy.startswith("start the server that MODEL_SERVER_URL names")


def test_where_none_is_installed_it_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert models("http://127.0.0.1:11434").remedy == "install ollama: https://ollama.com/download"


def test_one_of_this_machine_is_started_where_its_address_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_ollama(tmp_path, monkeypatch)
    service = models(f"http://127.0.0.1:{free_port()}")

    with Stack([service], tmp_path / "stack", PATIENCE) as stack:
        (seen,) = stack.look()

    assert seen.health.state is State.HEALTHY
    assert seen.process is not None


def install_ollama(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program of this name on the path that does what is asked of it here."""
    program = folder / "ollama"
    program.write_text(
        f"#!{sys.executable}\n"
        "import os, sys\n"
        "from http.server import SimpleHTTPRequestHandler, HTTPServer\n"
        "assert sys.argv[1:] == ['serve']\n"
        "host, port = os.environ['OLLAMA_HOST'].split(':')\n"
        "HTTPServer((host, int(port)), SimpleHTTPRequestHandler).serve_forever()\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
