"""Where a crawl tells its metrics."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.metrics.metrics_settings import MetricsSettings


def told(port: str, host: str = "127.0.0.1") -> MetricsSettings:
    return MetricsSettings.from_settings({"METRICS_PORT": port, "METRICS_HOST": host})


def test_without_a_port_there_are_none() -> None:
    assert not told("").ports


def test_one_port_is_that_one() -> None:
    assert list(told(" 9410 ").ports) == [9410]


def test_of_several_all_are_tried() -> None:
    assert list(told("9410-9412").ports) == [9410, 9411, 9412]


@pytest.mark.parametrize("port", ["0", "65536", "9412-9410", "http", "-1", "9410-", "9410,9411"])
def test_what_is_no_port_is_refused_with_what_to_write(port: str) -> None:
    with pytest.raises(BadInput, match=r"METRICS_PORT is .*write a port as in 9410"):
        told(port)


def test_an_address_is_written_as_it_is_typed() -> None:
    assert told("9410").url(9410) == "http://127.0.0.1:9410/metrics"
    assert told("9410", "::1").url(9410) == "http://[::1]:9410/metrics"
