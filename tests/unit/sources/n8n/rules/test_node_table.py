"""Which node types n8n knows."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

import n8n_scraper
from n8n_scraper.sources.n8n.rules.node_table import (
    NodeTable,
    NodeType,
    build_table,
    package_of,
    read_table,
    shipped_table,
    write_table,
)

VERSIONS = st.lists(st.floats(1, 9, width=16), min_size=1, unique=True).map(tuple)


def described(name: str, version: object, **more: object) -> dict[str, object]:
    return {"name": name, "version": version, "group": ["output"], **more}


def test_implementations_of_one_name_are_one_type() -> None:
    old = described("mail", 1)
    new = described("mail", [2, 2.1], usableAsTool=True, group=["trigger"], hidden=True)

    table = build_table("9.9.9", {"n8n-nodes-base": [old, new]})

    assert table.types == {
        "n8n-nodes-base.mail": NodeType(
            (1.0, 2.0, 2.1), usable_as_tool=(2.0, 2.1), trigger=True, hidden=True
        )
    }


def test_a_name_with_its_package_is_the_same_name() -> None:
    table = build_table("1.20.0", {"n8n-nodes-base": [described("n8n-nodes-base.mail", 1)]})

    assert table.knows("n8n-nodes-base.mail")


def test_what_an_agent_can_use_has_a_tool_in_the_same_versions() -> None:
    table = NodeTable("9.9.9", {"p.mail": NodeType((1.0, 2.0), usable_as_tool=(2.0,))})

    assert table.versions("p.mailTool") == (2.0,)
    assert not table.knows("p.mailHitlTool")


def test_what_can_send_and_wait_has_a_tool_that_asks_a_person() -> None:
    operation = {"name": "operation", "options": [{"value": "sendAndWait"}]}
    waits = described("mail", 2, webhooks=[{}], properties=[operation])
    only_sends = described("post", 2, properties=[operation])

    table = build_table("9.9.9", {"p": [waits, only_sends]})

    assert table.versions("p.mailHitlTool") == (2.0,)
    assert table.versions("p.postHitlTool") == ()


def test_a_type_without_version_is_of_the_first() -> None:
    assert shipped_table().knows("n8n-nodes-base.httpRequest")


@given(st.dictionaries(st.text(), st.builds(NodeType, VERSIONS, VERSIONS, trigger=st.booleans())))
def test_a_table_that_was_written_reads_the_same(types: dict[str, NodeType]) -> None:
    table = NodeTable("9.9.9", types)

    assert read_table(write_table(table)).types == table.types


def test_the_shipped_table_is_that_of_its_n8n_version() -> None:
    table = shipped_table()

    assert table.n8n_version == "2.41.1"
    assert len(table) == 568
    assert sum(len(facts.versions) for facts in table.types.values()) == 1009
    assert sum(bool(facts.usable_as_tool) for facts in table.types.values()) == 270


@pytest.mark.parametrize(
    ("node_type", "package"),
    [
        ("n8n-nodes-mcp.mcpClient", "n8n-nodes-mcp"),
        ("@apify/n8n-nodes-apify.apify", "@apify/n8n-nodes-apify"),
        ("CUSTOM.mine", None),  # a file of the author's own, in no package
        ("nonsense", None),
        ("", None),
    ],
)
def test_a_type_names_its_package(node_type: str, package: str | None) -> None:
    assert package_of(node_type) == package


def test_the_table_is_found_in_a_zipped_egg_too(tmp_path: Path) -> None:
    folder = Path(n8n_scraper.__file__).parent
    egg = tmp_path / "egg.zip"
    with ZipFile(egg, "w") as packed:
        for file in (*folder.rglob("*.py"), *folder.glob("**/data/*.json")):
            packed.write(file, Path("n8n_scraper") / file.relative_to(folder))
    code = (
        "from n8n_scraper.sources.n8n.rules import node_table as t;"
        "print(t.__file__, t.shipped_table().n8n_version)"
    )

    answer = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(egg)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert str(egg) in answer
    assert answer.split()[-1] == "2.41.1"


def test_what_travels_says_nothing_but_facts() -> None:
    file = Path(n8n_scraper.__file__).parent / "sources/n8n/data/nodes.json"

    words = set(file.read_text("utf-8").replace("{", " ").split('"'))

    keys = {"n8n_version", "types", "versions", "usable_as_tool", "send_and_wait", "trigger"}
    names = {word for word in words if word.isidentifier()}
    assert names == keys | {"hidden"}
