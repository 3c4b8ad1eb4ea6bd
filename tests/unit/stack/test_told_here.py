"""What the settings of a command become in the processes that it starts."""

from pathlib import Path

import pytest
from scrapy.settings import Settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.stack import _told_here, stack_of


def settings(**given: str) -> Settings:
    made = Settings()
    made.setmodule("n8n_scraper.settings")
    for name, value in given.items():
        made.set(name, value, priority="cmdline")
    return made


def test_what_the_environment_says_already_is_not_said_again() -> None:
    assert _told_here(settings()) == {}


def test_what_only_the_command_line_says_is_passed_on() -> None:
    assert _told_here(settings(REDIS_URL="redis://one")) == {"REDIS_URL": "redis://one"}


def test_an_old_name_in_the_environment_does_not_contradict_it() -> None:
    assert _told_here(settings(CONTACT="me@site.example")) == {
        "CONTACT": "me@site.example",
        "N8N_CONTACT": "",
    }


def test_a_setting_that_makes_no_sense_is_told_before_anything_is_looked_at(
    tmp_path: Path,
) -> None:
    with pytest.raises(BadInput, match="STACK_PATIENCE is 'long'"):
        stack_of(settings(STACK_PATIENCE="long", STACK_DIR=str(tmp_path)))
