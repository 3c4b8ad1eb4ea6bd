"""Sets scrapy-mock up: cassettes beside this file, with nothing in them that varies."""

import os
from pathlib import Path
from typing import Any

import pytest
import vcr

CASSETTES = Path(__file__).parent / "cassettes"


def only_the_kind(answer: dict[str, Any]) -> dict[str, Any]:
    """Of the headers keep what the body is; dates and the like differ with every recording."""
    kept = {
        name: values
        for name, values in answer["headers"].items()
        if name.lower() in ("content-type", "content-encoding")
    }
    return {**answer, "headers": kept}


def without_headers(request: Any) -> Any:
    """The headers of whoever recorded do not matter."""
    request.headers = {}
    return request


@pytest.fixture(scope="session")
def vcr_settings() -> vcr.VCR:
    """Record what is not there yet; in CI nothing may be recorded."""
    return vcr.VCR(
        serializer="yaml",
        decode_compressed_response=True,
        cassette_library_dir=str(CASSETTES),
        record_mode="none" if os.environ.get("CI") else "once",
        before_record_request=without_headers,
        before_record_response=only_the_kind,
    )
