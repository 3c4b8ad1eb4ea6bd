"""The secrets in recorded answers are those that a person sees; see tests/golden/README.md."""

from pathlib import Path

import pytest

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.sources.n8n.rules.secrets import find_secrets
from tests.samples.answers import read_detail, read_import, template_of
from tests.samples.conftest import known_findings

KNOWN = known_findings()


def findings(dossier: Dossier) -> list[list[str | int]]:
    return [[one.kind, one.place, one.count] for one in find_secrets(template_of(dossier))]


def expected(file: Path) -> list[list[str | int]]:
    """The findings of an answer, if anybody has looked at it."""
    known = KNOWN[file.parent.name]
    if file.stem not in known:
        pytest.skip("nobody has looked at this one")
    return known[file.stem]


def test_a_metadata_answer_has_the_secrets_that_a_person_sees(detail_file: Path) -> None:
    assert findings(read_detail(detail_file)) == expected(detail_file)


def test_a_json_answer_has_the_secrets_that_a_person_sees(import_file: Path) -> None:
    assert findings(read_import(import_file)) == expected(import_file)
