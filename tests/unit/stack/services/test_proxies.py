"""Proxies and rotator as services; a program stands in for mubeng."""

import sys
from pathlib import Path

import pytest
from scrapy.settings import Settings

from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.stack.health import Health, State
from n8n_scraper.stack.services.proxies import proxies, rotator
from n8n_scraper.stack.stack import Stack
from n8n_scraper.testing.postgres import free_port
from tests.unit.stack.running import PATIENCE, serving


def given(**values: str) -> ProxySettings:
    settings = Settings()
    settings.setmodule("n8n_scraper.settings")
    settings.update({"PROXIES": "", "PROXY_ROTATOR_URL": "", **values})
    return ProxySettings.from_settings(settings)


def listed(folder: Path, number: int) -> str:
    file = folder / "live_proxies.txt"
    file.write_text("".join(f"http://203.0.113.{one}:8080\n" for one in range(number)))
    return str(file)


def test_without_proxies_neither_is_needed() -> None:
    assert proxies(given()).unneeded == "PROXIES is empty"
    assert rotator(given()).unneeded == "PROXY_ROTATOR_URL is empty"


def test_enough_of_them_are_healthy(tmp_path: Path) -> None:
    service = proxies(given(PROXIES=listed(tmp_path, 10)))

    assert service.check(PATIENCE) == Health.healthy("10 in the list")


def test_too_few_are_told_with_what_to_do(tmp_path: Path) -> None:
    service = proxies(given(PROXIES=listed(tmp_path, 9)))

    assert service.check(PATIENCE).words == "9 in the list, fewer than MIN_PROXIES (10)"
    assert service.remedy == f"renew the list in {tmp_path}/live_proxies.txt, or lower MIN_PROXIES"


def test_a_list_that_is_renewed_is_counted_anew(tmp_path: Path) -> None:
    service = proxies(given(PROXIES=listed(tmp_path, 9)))

    listed(tmp_path, 12)

    assert service.check(PATIENCE).state is State.HEALTHY


def test_a_list_that_is_not_there_is_told(tmp_path: Path) -> None:
    service = proxies(given(PROXIES=f"{tmp_path}/none"))

    assert "No such file" in service.check(PATIENCE).words


@pytest.mark.parametrize("status", [200, 400, 500])
def test_a_rotator_that_answers_anything_is_there(status: int) -> None:
    with serving(status) as port:
        service = rotator(given(PROXY_ROTATOR_URL=f"http://user:secret@127.0.0.1:{port}"))

        assert service.check(PATIENCE) == Health.healthy(f"answers at 127.0.0.1:{port}")


def test_one_that_is_away_is_told_without_its_password() -> None:
    port = free_port()
    service = rotator(given(PROXY_ROTATOR_URL=f"http://user:secret@127.0.0.1:{port}"))

    assert service.check(PATIENCE).words.startswith(f"no proxy answers at 127.0.0.1:{port}: ")
    assert service.remedy == f"start the rotator at 127.0.0.1:{port}"
    assert "secret" not in f"{service}"


@pytest.mark.parametrize(
    ("address", "line", "remedy"),
    [
        ("http://10.0.0.5:8089", "http://203.0.113.1:80", "start the rotator at 10.0.0.5:8089"),
        ("http://127.0.0.1:8089", "203.0.113.1:80", "has lines without http://"),
        ("http://user:x@127.0.0.1:8089", "http://203.0.113.1:80", "without credentials"),
    ],
)
def test_a_rotator_that_mubeng_cannot_safely_be_is_not_started(
    address: str, line: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_mubeng(tmp_path, monkeypatch)
    (tmp_path / "list").write_text(line)

    service = rotator(given(PROXIES=f"{tmp_path}/list", PROXY_ROTATOR_URL=address))

    assert service.program is None
    assert remedy in service.remedy


def test_where_mubeng_is_not_installed_it_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    file = listed(tmp_path, 1)

    service = rotator(given(PROXIES=file, PROXY_ROTATOR_URL="http://127.0.0.1:8089"))

    assert service.remedy == "install mubeng: https://github.com/mubeng/mubeng"


def test_a_mubeng_is_started_for_the_file_of_proxies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_mubeng(tmp_path, monkeypatch)
    address = f"http://127.0.0.1:{free_port()}"
    service = rotator(given(PROXIES=listed(tmp_path, 10), PROXY_ROTATOR_URL=address))

    with Stack([service], tmp_path / "stack", PATIENCE) as stack:
        (seen,) = stack.look()

    assert seen.health.state is State.HEALTHY
    assert seen.process is not None


def install_mubeng(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program of this name on the path that does what is asked of it here."""
    program = folder / "mubeng"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "from http.server import SimpleHTTPRequestHandler, HTTPServer\n"
        "assert not sys.stdin.read()\n"
        "assert open(sys.argv[sys.argv.index('-f') + 1]).read()\n"
        "host, port = sys.argv[sys.argv.index('-a') + 1].split(':')\n"
        "HTTPServer((host, int(port)), SimpleHTTPRequestHandler).serve_forever()\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
