"""The address of a Redis, read without one."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.redis_settings import RedisAddress, RedisSettings


def test_an_empty_address_is_none() -> None:
    assert RedisSettings.from_settings({"REDIS_URL": ""}).address is None


def test_an_address_is_read_in_its_parts() -> None:
    address = RedisAddress.parse("redis://crawler:p%40ss@redis.example:6380/3", "REDIS_URL")

    assert (address.host, address.port, address.database) == ("redis.example", 6380, 3)
    assert (address.user, address.password) == ("crawler", "p@ss")
    assert address.place == "redis.example:6380"


def test_port_and_database_have_the_usual_defaults() -> None:
    address = RedisAddress.parse("redis://redis.example", "REDIS_URL")

    assert (address.port, address.database) == (6379, 0)


def test_a_password_is_not_shown_by_accident() -> None:
    address = RedisAddress.parse("redis://:secret@redis.example", "REDIS_URL")

    assert "secret" not in f"{address} {address!r} {address.place}"


@pytest.mark.parametrize(
    "url",
    [
        *("redis.example:6379", "http://redis.example", "unix:///run/redis.sock", "redis://"),
        *("redis://host:port", "redis://host/zero", "redis://host:0", "redis://host/-1"),
    ],
)
def test_what_is_no_address_is_told_without_showing_it(url: str) -> None:
    with pytest.raises(BadInput, match=r"^REDIS_URL is no address of a Redis; write one such as"):
        RedisSettings.from_settings({"REDIS_URL": url})


@pytest.mark.parametrize(
    ("host", "here"),
    [
        *(("127.0.0.1", True), ("127.8.0.1", True), ("[::1]", True), ("localhost", True)),
        *(("10.0.0.5", False), ("0.0.0.0", False), ("redis.example", False)),  # noqa: S104
    ],
)
def test_only_what_no_other_machine_can_reach_is_here(host: str, here: bool) -> None:
    assert RedisAddress.parse(f"redis://{host}:6379", "REDIS_URL").is_here is here
