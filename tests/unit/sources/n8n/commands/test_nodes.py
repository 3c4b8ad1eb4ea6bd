"""`scrapy nodes`: what n8n knows, and a newer table of it."""

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.commands import nodes
from tests.crawling import scrapy

# Answers as npm does, from files that a test has put beside it.
NPM = """#!/bin/sh
here=$(dirname "$0")
case "$*" in
  "view n8n@9.9.9 dependencies --json") cat "$here/needs.json" ;;
  "view n8n@"*) echo "npm error code E404" >&2; echo "npm error 404 No match found" >&2; exit 1 ;;
  "pack n8n-nodes-base@9.9.8"*) cp "$here/base.tgz" "$5/base.tgz"; echo base.tgz ;;
  "pack @n8n/n8n-nodes-langchain@9.9.7"*) cp "$here/ai.tgz" "$5/ai.tgz"; echo ai.tgz ;;
  *--silent*) exit 1 ;;
  *) echo "npm error unexpected: $*" >&2; exit 1 ;;
esac
"""


def packed(file: Path, descriptions: list[dict[str, object]]) -> None:
    written = json.dumps(descriptions).encode()
    with tarfile.open(file, "w:gz") as archive:
        entry = tarfile.TarInfo("package/dist/types/nodes.json")
        entry.size = len(written)
        archive.addfile(entry, io.BytesIO(written))


@pytest.fixture
def npm(tmp_path: Path) -> str:
    """A program that knows n8n 9.9.9, whose packages hold one node each."""
    needs = {"n8n-nodes-base": "9.9.8", "@n8n/n8n-nodes-langchain": "9.9.7", "other": "1"}
    (tmp_path / "needs.json").write_text(json.dumps(needs))
    packed(tmp_path / "base.tgz", [{"name": "mail", "version": [1, 2], "usableAsTool": True}])
    packed(tmp_path / "ai.tgz", [{"name": "agent", "version": 3}])
    program = tmp_path / "npm"
    program.write_text(NPM)
    program.chmod(0o755)
    return str(program)


def test_a_table_is_made_from_the_packages_that_belong_to_the_version(npm: str) -> None:
    table = nodes.fetch_table(npm, "9.9.9")

    assert table.n8n_version == "9.9.9"
    assert sorted(table.types) == ["@n8n/n8n-nodes-langchain.agent", "n8n-nodes-base.mail"]
    assert table.versions("n8n-nodes-base.mailTool") == (1.0, 2.0)


def test_a_package_that_cannot_be_had_is_told_with_npms_own_reason(
    npm: str, tmp_path: Path
) -> None:
    needs = {"n8n-nodes-base": "9.9.8", "@n8n/n8n-nodes-langchain": "0.0.9"}
    (tmp_path / "needs.json").write_text(json.dumps(needs))

    with pytest.raises(BadInput, match="npm pack failed: unexpected: pack @n8n/n8n-nodes-lang"):
        nodes.fetch_table(npm, "9.9.9")


def test_a_version_that_does_not_exist_is_one_clear_line(npm: str) -> None:
    with pytest.raises(BadInput, match="npm view failed: 404 No match found"):
        nodes.fetch_table(npm, "0.0.1")


def test_without_npm_the_line_says_what_to_install() -> None:
    ran = scrapy("nodes", "update", environment={"PATH": os.devnull})

    assert ran.status == 2
    assert ran.err.splitlines() == [
        "scrapy: npm is needed to fetch n8n's packages, and is not there: install Node.js."
    ]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "n8n-nodes-base.slack",
            "n8n-nodes-base.slack: versions 1, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7; "
            "usable as a tool; can send and wait (package n8n-nodes-base, n8n 2.41.1)",
        ),
        (
            "gmailTrigger",
            "n8n-nodes-base.gmailTrigger: versions 1, 1.1, 1.2, 1.3, 1.4; trigger "
            "(package n8n-nodes-base, n8n 2.41.1)",
        ),
        (
            "awsSnsTool",
            "n8n-nodes-base.awsSnsTool: versions 1; derived when n8n starts "
            "(package n8n-nodes-base, n8n 2.41.1)",
        ),
    ],
)
def test_a_type_is_described_in_a_line(name: str, line: str) -> None:
    ran = scrapy("nodes", "show", name)

    assert (ran.status, ran.out.splitlines()) == (0, [line])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["show", "nope"], "has no node type 'nope'"), (["show"], "write:"), ([], "write:")],
)
def test_what_makes_no_sense_is_refused_in_a_line(arguments: list[str], said: str) -> None:
    ran = scrapy("nodes", *arguments)

    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
