"""To which server runs are told."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.etl.etl_settings import EtlSettings


def read(**given: str) -> EtlSettings:
    return EtlSettings.from_settings(given)


def test_without_a_server_nothing_is_told() -> None:
    assert not read().in_use


@pytest.mark.parametrize(
    "given",
    ["https://etl.example/base/", '"https://etl.example/base"', " 'https://etl.example/base/' "],
)
def test_the_address_may_be_quoted_and_end_with_a_slash(given: str) -> None:
    settings = read(ETL_API_ENDPOINT=given, ETL_API_KEY='"key"')

    assert settings.endpoint == "https://etl.example/base"
    assert settings.key == "key"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"ETL_API_ENDPOINT": "https://etl.example"}, "ETL_API_KEY is not"),
        ({"ETL_API_KEY": "key"}, "ETL_API_ENDPOINT is not"),
        ({"ETL_API_ENDPOINT": "etl.example", "ETL_API_KEY": "key"}, "no address"),
        ({"ETL_API_ENDPOINT": "https://e.example?key=k", "ETL_API_KEY": "key"}, "no address"),
        ({"ETL_API_ENDPOINT": "https://e.example", "ETL_API_KEY": "a\nb"}, "no header"),
    ],
)
def test_what_nobody_can_work_with_costs_one_line(given: dict[str, str], line: str) -> None:
    with pytest.raises(BadInput, match=line):
        read(**given)


def test_neither_the_key_nor_a_password_is_ever_shown() -> None:
    settings = read(ETL_API_ENDPOINT="https://ada:secret@etl.example/x", ETL_API_KEY="key-4711")

    assert settings.place == "https://etl.example/x"
    assert "4711" not in repr(settings)
