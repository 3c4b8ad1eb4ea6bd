"""A command is written down as it was given."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.command_line import (
    crawl_command,
    joining,
    setting_in,
    without_passwords,
)

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


def test_arguments_settings_and_feeds_are_all_in_it() -> None:
    settings = {
        "JOBDIR": "my state",
        "RATE_LIMIT_RATE": "5",
        "FEEDS": {"a.jsonl": {"format": "jsonl", "overwrite": True}},
    }

    command = crawl_command("workflows", {"limit": "60", "category": "Lead Generation"}, settings)

    assert command == (
        "scrapy crawl workflows -a limit=60 -a 'category=Lead Generation'"
        " -s 'JOBDIR=my state' -s RATE_LIMIT_RATE=5 -O a.jsonl"
    )


def test_what_the_wiring_has_added_to_a_setting_is_left_out() -> None:
    command = crawl_command("workflows", {}, {"ITEM_PIPELINES": {"mine.Pipeline": 130, dict: 900}})

    assert shlex.split(command)[-1] == 'ITEM_PIPELINES={"mine.Pipeline": 130}'


@pytest.mark.parametrize(
    ("feeds", "words"),
    [
        ({"a.csv": {"format": "csv"}}, "-o a.csv"),
        ({"stdout:": {"format": "jsonlines"}}, "-o stdout::jsonlines"),
        ({"a.csv": {"format": "csv"}, "b.csv": {"format": "csv"}}, "-o a.csv -o b.csv"),
        ({"a": {"format": "csv", "fields": ["url"]}}, "-s 'FEEDS={"),
        ({"ftp://me:secret@host/a.csv": {"format": "csv"}}, "-o 'ftp://me:***@host/a.csv'"),
    ],
)
def test_a_feed_is_the_option_that_made_it(feeds: object, words: str) -> None:
    assert words in crawl_command("workflows", {}, {"FEEDS": feeds})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://me:secret@host/name", "postgresql://me:***@host/name"),
        ("postgresql://me:p@ss@host/name", "postgresql://me:***@host/name"),
        ("postgresql://me:p@s/s:1@host/name", "postgresql://me:***@host/name"),
        (
            "postgresql://host/name?user=me&password=secret",
            "postgresql://host/name?user=me&password=***",
        ),
        ("http://127.0.0.1:8808", "http://127.0.0.1:8808"),
        ("sqlite:////home/me@work/a.db", "sqlite:////home/me@work/a.db"),
    ],
)
def test_no_part_of_a_password_is_shown(text: str, shown: str) -> None:
    assert without_passwords(text) == shown


@pytest.mark.parametrize("name", ["FTP_PASSWORD", "AWS_SECRET_ACCESS_KEY", "MAIL_PASS", "API_KEY"])
def test_a_setting_whose_name_says_that_it_is_secret_is_not_shown(name: str) -> None:
    assert "hunter2" not in crawl_command("workflows", {}, {name: "hunter2"})


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("PROXIES", "data/live.txt", "data/live.txt"),
        ("PROXIES", "a.example:1", "a.example:1"),
        ("PROXIES", "a.example:1:me:secret", "***"),
        ("PROXIES", "me:secret@a.example:1", "***"),
        ("PROXIES", "http://token@a.example:1,http://b.example:2", "***"),
        ("PROXY_ROTATOR_URL", "http://127.0.0.1:8089", "http://127.0.0.1:8089"),
        ("PROXY_ROTATOR_URL", "http://token@gate.example:7777", "***"),
    ],
)
def test_proxies_are_shown_where_they_can_hold_no_credentials(
    name: str, value: str, shown: str
) -> None:
    assert shlex.split(crawl_command("workflows", {}, {name: value}))[-1] == f"{name}={shown}"


@given(arguments=st.dictionaries(WORDS, WORDS, max_size=3), jobdir=WORDS)
def test_a_shell_reads_it_back_word_for_word(arguments: dict[str, str], jobdir: str) -> None:
    command = crawl_command("workflows", arguments, {"JOBDIR": jobdir})

    words = shlex.split(command)
    assert words[3:-2:2] == ["-a"] * len(arguments)
    assert words[4:-2:2] == [f"{name}={value}" for name, value in arguments.items()]
    assert setting_in(command, "JOBDIR") == ["-s", f"JOBDIR={jobdir}"]


@given(arguments=st.dictionaries(WORDS, WORDS, max_size=3), value=WORDS)
def test_a_command_that_joins_a_run_takes_its_arguments_from_there(
    arguments: dict[str, str], value: str
) -> None:
    command = joining(crawl_command("workflows", arguments, {"LOG_FILE": value}), "2026-ab")

    assert shlex.split(command) == [
        *("scrapy", "crawl", "workflows", "-a", "run=2026-ab"),
        *("-s", f"LOG_FILE={value}"),
    ]
