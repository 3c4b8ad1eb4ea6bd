"""The command that goes on with a crawl."""

from dataclasses import replace

import pytest

from n8n_scraper.core.source import FOREIGN
from n8n_scraper.policies.run.going_on import GoingOn

RESUMES = GoingOn("2026-ab", "scrapy crawl workflows -s JOBDIR=state", {}, "state")
FORGETS = GoingOn("2026-ab", "scrapy crawl workflows -a limit=9", {"limit": "9"}, None)
ELSEWHERE = replace(RESUMES, command=f"{RESUMES.command} -s DATABASE_URL=sqlite:///b.db")
UPDATES = replace(RESUMES, arguments={"mode": "update", "budget": "50"})


def test_with_a_directory_the_same_command_goes_on() -> None:
    assert RESUMES.with_what_is_left() == "to go on: scrapy crawl workflows -s JOBDIR=state"


@pytest.mark.parametrize("word", ["with_what_is_left", "with_what_failed", "anew"])
def test_what_only_others_work_on_has_no_command(word: str) -> None:
    others = replace(FORGETS, source=FOREIGN)

    assert getattr(others, word)() == "the program that reports on it goes on with it"


def test_without_a_directory_the_run_itself_is_named() -> None:
    named = replace(FORGETS, command=f"{FORGETS.command} -s RATE_LIMIT_RATE=5")

    assert named.with_what_is_left() == (
        "to go on: scrapy crawl workflows -a run=2026-ab -s RATE_LIMIT_RATE=5"
    )


@pytest.mark.parametrize(
    ("given", "exports"),
    [
        ("", ["--format jsonl --output items.jsonl"]),
        (" -O all.csv", ["--format csv --output all.csv"]),
        (" -O all.txt:jsonlines", ["--format jsonl --output all.txt"]),
        (
            " -O a.parquet -O b.json",
            ["--format parquet --output a.parquet", "--format json --output b.json"],
        ),
        (" -O all.xml", ["--format jsonl --output items.jsonl"]),  # no export makes XML
        (" -O s3://box/all.csv", ["--format jsonl --output items.jsonl"]),
    ],
)
def test_an_export_takes_the_place_of_the_feed_that_is_not_whole(
    given: str, exports: list[str]
) -> None:
    said = replace(RESUMES, command=RESUMES.command + given).with_the_feed()

    commands = " && ".join(f"scrapy export {one}" for one in exports)
    assert said == f"to take all from the database: {commands}"


@pytest.mark.parametrize("name", ["REDACT", "N8N_REDACT"])  # as a run from before has it
def test_an_export_takes_out_what_the_feed_was_to_lack(name: str) -> None:
    redacted = replace(ELSEWHERE, command=f"{ELSEWHERE.command} -s {name}=replace")

    assert redacted.with_the_feed().endswith(
        "items.jsonl -s REDACT=replace -s DATABASE_URL=sqlite:///b.db"
    )


def test_before_a_run_was_entered_the_same_command_begins_it() -> None:
    assert replace(FORGETS, run_id=None).with_what_is_left() == f"to go on: {FORGETS.command}"


def test_what_failed_is_tried_again_in_the_same_run_and_the_same_database() -> None:
    assert ELSEWHERE.with_what_failed() == (
        "to try them again: scrapy runs retry-failed 2026-ab -s DATABASE_URL=sqlite:///b.db"
        " && scrapy crawl workflows -s JOBDIR=state -s DATABASE_URL=sqlite:///b.db"
    )


def test_what_failed_without_a_directory_is_tried_again_in_the_run_that_is_named() -> None:
    assert FORGETS.with_what_failed() == (
        "to try them again: scrapy runs retry-failed 2026-ab"
        " && scrapy crawl workflows -a run=2026-ab"
    )


def test_what_failed_within_a_budget_is_left_to_a_later_update() -> None:
    assert "retry-failed" not in UPDATES.with_what_failed()
    assert UPDATES.with_what_failed().startswith("a later update tries them again: scrapy crawl")


def test_a_hidden_password_is_asked_for_once() -> None:
    hidden = replace(
        RESUMES, command="scrapy crawl workflows -s 'DATABASE_URL=postgresql://a:***@b/c'"
    )

    assert hidden.with_what_failed().count("(write what belongs in place of ***)") == 1
