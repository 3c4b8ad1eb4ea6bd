"""Exports by the command that people use, out of both databases and into every format."""

import csv
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from n8n_scraper.exports import read_jsonl, read_parquet
from n8n_scraper.exports.formats import all_formats
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests import templates
from tests.crawling import PROJECT, Ran, child, crawl, scrapy, stored, wait_until
from tests.unit.exports.given import NASTY_TITLES, template
from tests.unit.exports.reading_back import Row, as_lines, differences, with_duckdb, with_pyarrow

pytestmark = pytest.mark.full_speed
WORKFLOW = {"nodes": [{"name": "n", "type": "n8n-nodes-base.set"}], "connections": {}}


def fill(database_url: str, made: list[Template]) -> None:
    """Store templates as a crawl does."""
    database = Database(database_url, patience_seconds=0)
    try:
        database.do(lambda session: [templates.save(session, one, ()) for one in made])
    finally:
        database.close()


def export(database_url: str, form: str, target: Path, *arguments: str, **environment: str) -> Ran:
    return scrapy(
        *("export", "--format", form, "--output", str(target), *arguments),
        environment={"DATABASE_URL": database_url, **environment},
    )


@pytest.fixture(scope="module")
def handful(tables_of_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with a handful of templates that differ in what the filters look at."""
    folder = tmp_path_factory.mktemp("handful")
    url = f"sqlite:///{shutil.copy(tables_of_sqlite, folder / 'few.db')}"
    fill(
        url,
        [
            template("9", title="Nine", categories=["AI"], scraped_at="2026-01-01T00:00:00.000Z"),
            template("10", title="Ten", node_types={"n8n-nodes-base.set": 1}),
            template("111", title="Many", outcome="partial", trigger_types=["x.webhook"]),
            template("2", title="Two", scraped_at="2026-03-01T00:00:00.000Z"),
        ],
    )
    return url


@pytest.fixture(scope="module")
def long_titles(handful: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same with six hundred more, which take so long that an export is met in the middle."""
    file = tmp_path_factory.mktemp("long") / "few.db"
    url = f"sqlite:///{shutil.copy(handful.removeprefix('sqlite:///'), file)}"
    fill(url, [template(str(number), title="x" * 20_000) for number in range(1_000, 1_600)])
    return url


@pytest.fixture
def few(handful: str, copy_of: Callable[[str], str]) -> str:
    """A copy of the handful that a test may change."""
    return copy_of(handful)


def ids(path: Path) -> list[str]:
    return [one.workflow_id for one in read_jsonl(path)]


def manifest(target: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(Path(f"{target}.manifest.json").read_text())
    return read


@pytest.fixture(scope="module")
def crawled(stand_in: RunningStandIn, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A crawl of the whole stand-in, into a database and into two feeds."""
    folder = tmp_path_factory.mktemp("crawled")
    url = f"sqlite:///{folder}/a.db"
    ran = crawl(stand_in, url, "-O", f"{folder}/items.parquet", "-O", f"{folder}/items.csv")
    assert ran.status == 0, ran.err
    return url, folder


@pytest.fixture(scope="module")
def kept(crawled: tuple[str, Path]) -> dict[str, Template]:
    """What its database has."""
    return stored(crawled[0])


def test_a_crawl_into_parquet_gives_back_what_is_stored(
    crawled: tuple[str, Path], kept: dict[str, Template]
) -> None:
    _, folder = crawled

    found = {one.workflow_id: one for one in read_parquet(folder / "items.parquet")}

    assert found == kept


def test_a_crawl_into_csv_has_a_row_for_each_template(
    crawled: tuple[str, Path], kept: dict[str, Template]
) -> None:
    _, folder = crawled

    csv.field_size_limit(10_000_000)
    with (folder / "items.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["workflow_id"]: row for row in csv.DictReader(file)}

    assert set(rows) == set(kept)
    assert not [row for row in rows.values() if row["title"].startswith(tuple("=+-@"))]


@pytest.mark.parametrize(("form", "read"), [("jsonl", read_jsonl), ("parquet", read_parquet)])
def test_an_export_of_a_crawl_gives_back_every_field(
    crawled: tuple[str, Path], kept: dict[str, Template], tmp_path: Path, form: str, read: Any
) -> None:
    url, _ = crawled

    ran = export(url, form, tmp_path / "x")

    assert ran.status == 0, ran.err
    assert {one.workflow_id: one for one in read(tmp_path / "x")} == kept


@pytest.mark.parametrize(
    ("form", "read"), [("parquet", with_pyarrow), ("parquet", with_duckdb), ("jsonl", as_lines)]
)
def test_every_tool_sees_in_an_export_of_a_crawl_what_is_in_the_database(
    crawled: tuple[str, Path],
    kept: dict[str, Template],
    tmp_path: Path,
    form: str,
    read: Callable[[Path], list[Row]],
) -> None:
    url, _ = crawled
    path = tmp_path / f"x.{form}"

    assert export(url, form, path).status == 0

    in_order = sorted(kept.values(), key=lambda one: int(one.workflow_id))
    assert differences(read(path), in_order) == []


def test_both_databases_give_the_same_export(database_url: str, tmp_path: Path) -> None:
    made = [
        template(str(number), title=title, description=title, workflow=WORKFLOW)
        for number, title in enumerate(NASTY_TITLES, 95)
    ]
    fill(database_url, made)

    lines = export(database_url, "jsonl", tmp_path / "x.jsonl", "--min-score", "1")
    rows = export(database_url, "parquet", tmp_path / "x.parquet", "--outcome", "complete")

    assert (lines.status, rows.status) == (0, 0), lines.err + rows.err
    assert list(read_jsonl(tmp_path / "x.jsonl")) == []
    assert list(read_parquet(tmp_path / "x.parquet")) == made


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ([], ["2", "9", "10", "111"]),
        (["--limit", "2"], ["2", "9"]),
        (["--ids", "111,9"], ["9", "111"]),
        (["--category", "ai"], ["9"]),
        (["--outcome", "partial"], ["111"]),
        (["--node", "set"], ["10"]),
        (["--trigger", "webhook"], ["111"]),
        (["--since", "2026-02-01"], ["2"]),
        (["--min-score", "1"], []),
        (["--outcome", "partial", "--outcome", "complete", "--limit", "3"], ["2", "9", "10"]),
    ],
)
def test_filters_choose(few: str, tmp_path: Path, arguments: list[str], found: list[str]) -> None:
    ran = export(few, "jsonl", tmp_path / "x.jsonl", *arguments)

    assert ran.status == 0, ran.err
    assert ids(tmp_path / "x.jsonl") == found
    assert manifest(tmp_path / "x.jsonl")["counts"]["templates"] == len(found)


@pytest.mark.parametrize("form", all_formats())
def test_no_match_is_a_success_and_makes_a_valid_empty_export(
    few: str, tmp_path: Path, form: str
) -> None:
    target = tmp_path / "x"

    ran = export(few, form, target, "--since", "2099-01-01")

    assert ran.status == 0, ran.err
    assert ran.out.startswith("No template matches")
    assert manifest(target)["templates"] == []
    match form:
        case "json":
            assert json.loads(target.read_bytes())["templates"] == []
        case "parquet":
            assert pq.read_table(target).num_rows == 0
        case "csv":
            assert target.read_text().rstrip() == ",".join(Template.model_fields)
        case "markdown" | "finetune":
            assert target.is_dir()


@pytest.mark.parametrize("form", all_formats())
def test_the_manifest_vouches_for_every_file_and_names_every_author(
    crawled: tuple[str, Path], kept: dict[str, Template], tmp_path: Path, form: str
) -> None:
    url, _ = crawled
    target = tmp_path / "x"

    ran = export(url, form, target, "--limit", "20")

    assert ran.status == 0, ran.err
    told = manifest(target)
    assert (told["schema_version"], told["format"], told["filters"]) == (2, form, {"limit": 20})
    assert "belongs to its author" in told["note"]
    for file in told["files"]:
        content = (tmp_path / file["name"]).read_bytes()
        assert file["bytes"] == len(content)
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
    made = list(target.rglob("*") if target.is_dir() else [target])
    assert len(told["files"]) == len(made)
    assert len(told["templates"]) == told["counts"]["templates"] == 20
    for line in told["templates"]:
        one = kept[line["workflow_id"]]
        assert (line["title"], line["url"]) == (one.title, one.url)
        assert line["author"] == (one.author.name if one.author else None)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "jsonl"], "--output is missing"),
        (["--output", "x"], "--format is missing"),
        (["--format", "xml", "--output", "x"], "--format is 'xml'"),
        (["--format", "csv", "--output", "nowhere/x.csv"], "the folder nowhere does not exist"),
        (["--format", "csv", "--output", "docs"], "docs is no file that could be replaced"),
        (["--format", "markdown", "--output", "docs"], "docs holds what no export has made"),
        (["--format", "csv", "--output", "x", "--limit", "some"], "--limit is 'some'"),
        (["--format", "csv", "--output", "x", "all"], "'all' means nothing here"),
    ],
)
def test_nonsense_is_refused_in_one_line(few: str, arguments: list[str], said: str) -> None:
    ran = scrapy("export", *arguments, environment={"DATABASE_URL": few})

    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_the_database_itself_is_not_written_over(few: str) -> None:
    path = Path(few.removeprefix("sqlite:///"))

    ran = export(few, "jsonl", path)

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert len(stored(few)) == 4


def test_ids_that_are_not_stored_are_named(few: str, tmp_path: Path) -> None:
    ran = export(few, "jsonl", tmp_path / "x.jsonl", "--ids", "9,77,78")

    assert ran.status == 0
    assert "2 of the ids are not stored: 77, 78" in ran.out


def test_a_full_disk_leaves_the_file_that_was_there(few: str, tmp_path: Path) -> None:
    fill(few, [template("5", description="x" * 200_000)])
    target = tmp_path / "x.jsonl"
    target.write_text("old")

    ran = scrapy(
        *("export", "--format", "jsonl", "--output", str(target)),
        environment={"DATABASE_URL": few},
        largest_file_bytes=100_000,
    )

    assert ran.status == 1
    assert "nothing was replaced" in ran.err
    assert target.read_text() == "old"
    assert not (tmp_path / ".x.jsonl.exporting").exists()


def test_a_killed_export_leaves_no_half_file_and_the_next_one_clears_up(
    long_titles: str, tmp_path: Path
) -> None:
    target = tmp_path / "x.jsonl"
    target.write_text("old")
    staging = tmp_path / ".x.jsonl.exporting"
    command = [sys.executable, "-m", "scrapy", "export", "--format", "jsonl"]
    with child(
        [*command, "--output", target],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": long_titles},
        stdout=subprocess.DEVNULL,
    ) as process:
        wait_until(lambda: (staging / "data").exists() or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert target.read_text() == "old"

    ran = export(long_titles, "jsonl", target)

    assert ran.status == 0, ran.err
    assert len(ids(target)) == 604
    assert not staging.exists()


@pytest.mark.real_start
def test_ctrl_c_ends_an_export_in_one_line_and_without_a_trace(
    long_titles: str, tmp_path: Path
) -> None:
    target = tmp_path / "x.csv"
    command = [sys.executable, "-m", "scrapy", "export", "--format", "csv"]
    with child(
        [*command, "--output", target],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": long_titles},
        stderr=subprocess.PIPE,
    ) as process:
        begun = tmp_path / ".x.csv.exporting" / "data"
        wait_until(lambda: begun.exists() or process.poll(), every=0.002)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()

    assert (process.returncode, said) == (4, "scrapy: stopped; nothing was replaced.\n")
    assert [path.name for path in tmp_path.iterdir() if "x.csv" in path.name] == []


def test_an_export_during_a_crawl_holds_nobody_up(few: str, tmp_path: Path) -> None:
    database = Database(few, patience_seconds=0)
    try:
        ran = database.do(lambda _: export(few, "jsonl", tmp_path / "x.jsonl"))
    finally:
        database.close()

    assert ran.status == 0, ran.err
    assert len(ids(tmp_path / "x.jsonl")) == 4


def test_a_word_for_redaction_that_is_none_is_refused(few: str, tmp_path: Path) -> None:
    ran = export(few, "jsonl", tmp_path / "x.jsonl", "-s", "REDACT=perhaps")

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "REDACT is 'perhaps'" in ran.err


def test_secrets_are_blacked_out_where_that_is_wanted(few: str, tmp_path: Path) -> None:
    key = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z" * 2
    nodes = [{"name": "n", "parameters": {"headers": {"Authorization": f"Bearer {key}"}}}]
    fill(few, [template("5", workflow={"nodes": nodes, "connections": {}})])

    kept = export(few, "jsonl", tmp_path / "a.jsonl", "-s", "REDACT=report")
    gone = export(few, "jsonl", tmp_path / "b.jsonl", "-s", "REDACT=replace")

    assert (kept.status, gone.status) == (0, 0), gone.err
    assert key in (tmp_path / "a.jsonl").read_text()
    assert key not in (tmp_path / "b.jsonl").read_text()
    assert manifest(tmp_path / "b.jsonl")["redaction"] == "replace"


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_pipe_takes_the_templates_and_nothing_else(few: str, tmp_path: Path, form: str) -> None:
    # Given the same export in a file
    export(few, form, tmp_path / "x")

    # When it goes to standard output
    ran = scrapy(*("export", "--format", form, "--output", "-"), environment={"DATABASE_URL": few})

    # Then the bytes are the same, what is said of them goes elsewhere, and no file is made
    assert ran.status == 0, ran.err
    assert ran.out.encode() == (tmp_path / "x").read_bytes().replace(b"\r\n", b"\n")
    assert ran.err.startswith("scrapy: 4 templates written to /dev/stdout")
    assert not list(PROJECT.glob("-*"))


def test_whoever_has_read_enough_of_a_pipe_is_told_nothing(few: str) -> None:
    # Given a pipe that is read no more
    to_read, to_write = os.pipe()
    os.close(to_read)

    # When an export goes into it
    with child(
        [*(sys.executable, "-m", "scrapy", "export", "--format", "jsonl", "--output", "-")],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": few},
        stdout=to_write,
        stderr=subprocess.PIPE,
    ) as running:
        os.close(to_write)
        _, said = running.communicate(timeout=60)

    # Then it ends as a program does that the signal has ended
    assert (said, running.returncode) == ("", 128 + signal.SIGPIPE)


def test_a_pipe_takes_parquet_as_well(few: str, tmp_path: Path) -> None:
    export(few, "parquet", tmp_path / "x")

    with (
        (tmp_path / "piped").open("wb") as file,
        child(
            [*(sys.executable, "-m", "scrapy", "export", "--format", "parquet", "--output", "-")],
            cwd=PROJECT,
            env={**os.environ, "DATABASE_URL": few},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=False,
        ) as running,
    ):
        file.write(running.communicate(timeout=60)[0])  # type: ignore[arg-type] # bytes

    assert list(read_parquet(tmp_path / "piped")) == list(read_parquet(tmp_path / "x"))


def test_what_is_said_of_an_export_for_n8n_is_what_is_in_the_folder(
    few: str, tmp_path: Path
) -> None:
    ran = export(few, "n8n", tmp_path / "for-n8n")

    written = len(list((tmp_path / "for-n8n").iterdir()))
    assert f"{written} templates written" in ran.out
    assert f"{4 - written} more are left out" in ran.out


def test_a_format_that_no_pipe_takes_is_refused_in_one_line(few: str) -> None:
    ran = scrapy(
        *("export", "--format", "markdown", "--output", "-"), environment={"DATABASE_URL": few}
    )

    assert (ran.status, len(ran.err.splitlines())) == (2, 1)
    assert "--output - takes jsonl or json or csv or parquet; for markdown name a" in ran.err


def test_what_has_changed_since_a_day_is_chosen_by_what_has_happened(
    few: str, tmp_path: Path
) -> None:
    everything = export(few, "jsonl", tmp_path / "all.jsonl", "--changed-since", "2020-01-01")
    nothing = export(few, "jsonl", tmp_path / "none.jsonl", "--changed-since", "2099-01-01")

    assert (everything.status, nothing.status) == (0, 0), everything.err + nothing.err
    assert len(ids(tmp_path / "all.jsonl")) == 4
    assert ids(tmp_path / "none.jsonl") == []
