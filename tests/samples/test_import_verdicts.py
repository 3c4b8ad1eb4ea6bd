"""Our verdict is n8n's: a real n8n 2.41.1 was asked about each of these workflows.

It refused the named ones for the named reasons, and accepted all that have none of these flaws.
A folder of other recordings may bring its own list, `import-verdicts.tsv`: id, and `accepted` or
`refused`. What no list names needs a verdict, whichever it is.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.sources.n8n.item import ImportCheck
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table
from tests.conftest import OTHER_SAMPLES, SAMPLES

SOURCE, TARGET = "a connection starts at a node", "a connection ends at a node"
NAME_TWICE, ID_TWICE = "a name is used once", "an id is used once"
NO_NAME = "a node has a name"
ENTRY, INDEX = "a connection is an object", "a connection has an index, a whole number from 0"
BUCKET = "what leaves an output is an array or null"
OUTPUT_TYPE = "a source has its outputs by type"
VERSION, POSITION = "a type version is a number", "a position is two numbers"
CREDENTIALS, SETTINGS = "credentials are an object", "settings is an object, null or absent"

# What n8n said, of each template whose id is known.
NAMED = {
    "636": NAME_TWICE,
    "1068": NAME_TWICE,
    "1349": SOURCE,
    "2383": SOURCE,
    "2523": SOURCE,
    "2833": TARGET,
    "3144": TARGET,
    "3161": INDEX,
    "3600": ID_TWICE,
    "4028": VERSION,
    "4654": CREDENTIALS,
    "4658": NO_NAME,
    "5417": NO_NAME,
    "6335": OUTPUT_TYPE,
    "6507": BUCKET,
    "6658": INDEX,
    "6666": BUCKET,
    "6730": POSITION,
    "6976": CREDENTIALS,
    "7296": VERSION,
    "7923": SETTINGS,
    "8055": ENTRY,
}
# More recordings with a flaw of these kinds. What n8n said of them is not known one by one: they
# stand here so that every other one must be accepted, and so that a change of a rule shows.
FLAWED = {
    "1122": NAME_TWICE,
    "3089": SOURCE,
    "3353": TARGET,
    "3672": TARGET,
    "4445": TARGET,
    "4803": NO_NAME,
    "4804": NO_NAME,
    "5031": TARGET,
    "5311": TARGET,
    "5316": NAME_TWICE,
    "5385": NO_NAME,
    "5391": NO_NAME,
    "5805": TARGET,
    "6150": TARGET,
    "6159": TARGET,
    "6237": TARGET,
    "6338": OUTPUT_TYPE,
    "6659": INDEX,
    "6664": INDEX,
    "6668": INDEX,
    "6686": BUCKET,
    "6726": TARGET,
    "6770": TARGET,
    "6906": ENTRY,
    "6907": ENTRY,
    "6908": ENTRY,
    "6909": ENTRY,
    "6910": ENTRY,
    "6914": ENTRY,
    "6915": ENTRY,
    "6916": ENTRY,
    "8061": ENTRY,
    "9246": NAME_TWICE,
    "10352": TARGET,
    "10376": TARGET,
    "12176": NAME_TWICE,
    "13291": NAME_TWICE,
    "16434": TARGET,
    "16731": NAME_TWICE,
    "17118": NAME_TWICE,
}
REFUSED = NAMED | FLAWED
LIST = SAMPLES / "import-verdicts.tsv"
LISTED = (
    dict(line.split("\t")[:2] for line in LIST.read_text().splitlines()) if LIST.exists() else {}
)


def verdict(workflow: dict[str, Any], name: str | None) -> ImportCheck:
    return check_import(workflow, name=name, table=shipped_table())


def said(workflow_id: str) -> str | None:
    """What n8n said of a workflow, as far as anybody knows."""
    if workflow_id in LISTED:
        return LISTED[workflow_id]
    if workflow_id in NAMED:
        return "refused"
    if OTHER_SAMPLES:
        return None
    return "refused" if workflow_id in FLAWED else "accepted"


def agrees(check: ImportCheck, workflow_id: str) -> bool:
    """Refused for the reason, where that is known, or accepted."""
    word = said(workflow_id)
    if word == "refused":
        rules = {one.rule for one in check.problems}
        return check.verdict == "rejected" and REFUSED.get(workflow_id) in {None, *rules}
    return word is None or check.problems == []


def test_a_metadata_answer_has_the_verdict_of_n8n(detail_file: Path) -> None:
    template = json.loads(detail_file.read_bytes())["workflow"]

    assert agrees(verdict(template["workflow"], template["name"]), detail_file.stem)


def test_a_json_answer_has_the_verdict_of_n8n(import_file: Path) -> None:
    template = json.loads(import_file.read_bytes())

    assert agrees(verdict(template["workflow"], template["name"]), import_file.stem)


def test_a_workflow_has_the_verdict_of_n8n(workflow_file: Path) -> None:
    assert agrees(verdict(json.loads(workflow_file.read_bytes()), None), workflow_file.stem)


@pytest.mark.parametrize(("workflow_id", "missing"), [("720", "automizy"), ("4448", "start")])
def test_a_type_that_n8n_has_dropped_is_a_gap(
    samples: Path, workflow_id: str, missing: str
) -> None:
    file = samples / "workflow-json" / f"{workflow_id}.json"
    if not file.exists():
        pytest.skip(f"not recorded: {file}")

    check = verdict(json.loads(file.read_bytes()), None)

    assert check.verdict == "imports with gaps"
    assert f"n8n-nodes-base.{missing}" in [one.type for one in check.unknown_types]
