"""Answers of our own in the form of the recorded ones: the stand-in's, every oddity among them."""

from __future__ import annotations

from pathlib import Path

from n8n_scraper.sources.n8n.replica.answers import encode
from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.oddities import ODDITIES, index_of_oddity

# Worked out by hand from docs/reference/import-rules.md; n8n takes every other one.
REFUSED = (
    *("target_as_array", "missing_output_level", "slot_as_object", "index_null", "index_absent"),
    *("dangling_source", "dangling_target", "missing_names", "missing_positions"),
    *("type_version_string", "duplicate_names", "duplicate_ids", "credentials_redacted"),
    "settings_as_string",
)
# The site describes every template, so the recorded answers have no description that is empty.
_NEVER_RECORDED = ("empty_description",)
_PLAIN = 20


def write_answers(folder: Path) -> None:
    """Fill a folder with metadata answers, JSON answers, workflows and n8n's verdicts."""
    catalogue = Catalogue(200)
    odd = {catalogue.id_at(index_of_oddity(name)): name for name in ODDITIES}
    chosen = {*catalogue.ids[:_PLAIN], *odd}
    verdicts = []
    for number in sorted(chosen):
        name = odd.get(number)
        if name in _NEVER_RECORDED:
            continue
        template = catalogue[number]
        _write(folder / "api-detail" / f"{number}.json", encode(template.detail()))
        _write(folder / "api-import" / f"{number}.json", encode(template.import_answer()))
        _write(folder / "workflow-json" / f"{number}.json", encode(template.workflow))
        verdicts.append(f"{number}\t{'refused' if name in REFUSED else 'accepted'}\n")
    _write(folder / "import-verdicts.tsv", "".join(verdicts).encode())


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
