"""Redis as a service: asked, and started where it may be; a real one."""

import socket
from pathlib import Path

import pytest

from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health, State
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.services import redis as services
from n8n_scraper.stack.stack import Stack
from n8n_scraper.testing.postgres import free_port
from n8n_scraper.testing.redis import OwnRedis
from tests.unit.stack.running import IN_VAIN, PATIENCE

pytest.importorskip("redis")


def address(url: str) -> RedisAddress:
    return RedisAddress.parse(url, "REDIS_URL")


def test_one_that_answers_is_healthy(redis: OwnRedis) -> None:
    assert services.ping(address(redis.url), PATIENCE) == Health.healthy(
        f"answers at 127.0.0.1:{redis.port}"
    )


def test_nobody_answering_is_told_with_the_place() -> None:
    port = free_port()

    health = services.ping(address(f"redis://:secret@127.0.0.1:{port}/0"), PATIENCE)

    assert health.words.startswith(f"no Redis answers at 127.0.0.1:{port}: ")
    assert "refused" in health.words
    assert "secret" not in health.words


def test_what_answers_something_else_is_no_redis() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:  # takes calls and says nothing
        health = services.ping(address(f"redis://127.0.0.1:{listener.getsockname()[1]}/0"), IN_VAIN)

    assert health.state is State.UNHEALTHY


def test_a_database_that_it_does_not_have_is_told(redis: OwnRedis) -> None:
    health = services.ping(address(redis.url.replace("/0", "/99")), PATIENCE)

    assert "out of range" in health.words


def test_without_an_address_it_is_not_needed_and_told_how_to_have_one(tmp_path: Path) -> None:
    service = redis_service(None, tmp_path)

    assert service.unneeded == "REDIS_URL is empty"
    assert service.remedy.endswith("export REDIS_URL=redis://127.0.0.1:6379/0")


def redis_service(url: str | None, folder: Path) -> Service:
    return services.redis(address(url) if url else None, folder)


@pytest.mark.parametrize(
    "url",
    [
        *("redis://10.0.0.5:6379", "redis://redis.example"),
        *("rediss://127.0.0.1:6379", "redis://crawler:secret@127.0.0.1:6379"),
    ],
)
def test_one_elsewhere_or_of_a_special_kind_is_only_asked(url: str, tmp_path: Path) -> None:
    service = redis_service(url, tmp_path)

    assert service.program is None
    assert service.remedy.startswith("start a Redis at ")


def test_where_none_is_installed_it_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    service = redis_service("redis://127.0.0.1:6379", tmp_path)

    assert service.program is None
    assert service.remedy == "apt install redis-server"


@pytest.mark.usefixtures("redis_program")
@pytest.mark.parametrize(
    "url",
    ["redis://127.0.0.1:{}/0", "redis://localhost:{}/20", "redis://:p%22%20%5Cx@127.0.0.1:{}"],
)
def test_one_of_ours_is_started_as_its_address_says_and_keeps_nothing(
    url: str, tmp_path: Path
) -> None:
    service = redis_service(url.format(free_port()), tmp_path)

    with Stack([service], tmp_path, PATIENCE) as stack:
        (seen,) = stack.look()
        folder = set(tmp_path.iterdir())

    assert seen.health.state is State.HEALTHY
    assert seen.process is not None
    assert not [path for path in folder if path.suffix in {".rdb", ".aof"}]
    assert (tmp_path / "redis.conf").stat().st_mode & 0o077 == 0


def test_the_queue_in_the_same_redis_is_no_service_of_its_own(tmp_path: Path) -> None:
    shared = address("redis://one:6379/0")

    same = services.broker(address("redis://one:6379/1"), shared, tmp_path)
    other = services.broker(address("redis://two:6379/0"), shared, tmp_path)

    assert same.unneeded == "the queue is where REDIS_URL says"
    assert other.unneeded is None


def test_its_program_reads_its_configuration_from_a_file(tmp_path: Path) -> None:
    service = redis_service("redis://:secret@127.0.0.1:6379", tmp_path)

    match service.program:
        case Program(words=words):
            assert "secret" not in " ".join(words)
        case None:
            pytest.skip("SKIPPED WITHOUT REDIS: no redis-server")
