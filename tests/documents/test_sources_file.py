import json
import re
from typing import Any

from n8n_scraper.sources_file.entry import KEYS, is_of_pages, what_to_write
from tests.documents.reading import PROJECT

REFERENCE = (PROJECT / "docs" / "reference" / "sources-file.md").read_text()
ROWS = re.findall(r"^\| `(\w+)`( \*pages\*)? \| (.*?) \| (.*?) \| (.*) \|$", REFERENCE, re.M)


def default_in_words(field: Any) -> str:
    if field.is_required():
        return "must be there"
    return "none" if field.default is None else f"`{json.dumps(field.default)}`"


def test_the_reference_of_the_sources_file_has_every_key_with_default_and_unit():
    written = {row[0]: (bool(row[1]), *row[2:]) for row in ROWS}

    assert written == {
        key: (
            is_of_pages(key),
            default_in_words(field),
            field.json_schema_extra["unit"],
            f"{field.description} Write {what_to_write(key)}.",
        )
        for key, field in KEYS.items()
    }
