"""Where the value of a setting comes from."""

import pytest
from scrapy.settings import Settings
from scrapy.utils.conf import feed_process_params_from_cli

from n8n_scraper import settings as project
from n8n_scraper.core.environment import check_names, given_by_hand
from n8n_scraper.core.errors import BadInput

NO_ENVIRONMENT: dict[str, str] = {}


def given(*names: str) -> Settings:
    settings = Settings()
    settings.setmodule(project)
    settings.setdict(dict.fromkeys(names, "x"), priority="cmdline")
    return settings


def test_only_what_the_command_line_says_was_given_by_hand() -> None:
    # Given a project's settings, an addon's, and two options of the command line
    settings = Settings({"RATE_LIMIT_RATE": "2"}, priority="project")
    settings.set("SCHEDULER", "x", priority="addon")
    settings.set("JOBDIR", "state", priority="cmdline")
    feeds = feed_process_params_from_cli(settings, [], overwrite_output=["a.jsonl"])
    settings.set("FEEDS", feeds, priority="cmdline")

    given = given_by_hand(settings)

    assert set(given) == {"JOBDIR", "FEEDS"}
    assert given["FEEDS"]["a.jsonl"] == {"format": "jsonl", "overwrite": True}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("RATE_LIMT_RATE", "RATE_LIMIT_RATE"),
        ("JOBDR", "JOBDIR"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("CONCURENT_REQUEST", "CONCURRENT_REQUESTS"),
    ],
)
def test_a_slip_on_the_command_line_is_told_with_the_name_that_was_meant(typed, meant) -> None:
    with pytest.raises(BadInput, match=f"-s {typed}: there is no such setting; is it {meant}"):
        check_names(given(typed), project, NO_ENVIRONMENT)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("N8N_PROGESS", "N8N_PROGRESS"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("DATABASE_ULR", "DATABASE_URL"),
        ("RATE_LIMT_RATE", "RATE_LIMIT_RATE"),
        ("RATE_LIMITRATE", "RATE_LIMIT_RATE"),
    ],
)
def test_a_wrong_letter_in_the_environment_is_told_too(typed: str, meant: str) -> None:
    with pytest.raises(BadInput, match=f"{typed} in the environment is no setting; is it {meant}"):
        check_names(given(), project, {typed: "bar"})


def test_a_name_beside_the_one_that_it_resembles_is_somebody_elses() -> None:
    check_names(given(), project, {"DATABASE_URL": "sqlite:///a.db", "DATABASE_URLS": "x"})


def test_a_setting_of_ours_that_is_none_is_told_even_when_it_resembles_nothing() -> None:
    with pytest.raises(BadInput, match="-s N8N_ENTIRELY_NEW: there is no such setting"):
        check_names(given("N8N_ENTIRELY_NEW"), project, NO_ENVIRONMENT)


@pytest.mark.parametrize(
    "name",
    ["REDIS_URL", "SCHEDULER_PERSIST", "ZYTE_API_KEY", "PLAYWRIGHT_BROWSER_TYPE", "FILES_STORE"],
)
def test_a_setting_of_somebody_elses_passes(name: str) -> None:
    check_names(given(name), project, NO_ENVIRONMENT)


def test_a_setting_that_the_spider_knows_passes_however_it_is_spelt() -> None:
    check_names(given("RETRY_TIME"), project, NO_ENVIRONMENT, further=["RETRY_TIME"])


@pytest.mark.parametrize(
    "name",
    [
        *("N8N_HOST", "N8N_PORT", "N8N_PATH", "N8N_PROTOCOL", "N8N_EDITOR_BASE_URL"),
        *("N8N_ENCRYPTION_KEY", "N8N_LOG_LEVEL", "N8N_TEMPLATES_HOST", "N8N_API_KEY"),
        *("DATABASE_SSL", "DATABASE_URI", "DATABASE_URL_1", "RATE_LIMIT", "RATE_LIMITER"),
        *("N8N_APP_URL", "N8N_UI_URL"),
        *("LOGLEVEL", "USERAGENT", "HOME", "PATH", "HTTP_PROXY", "N8N_PROGRESS"),
    ],
)
def test_what_other_programs_read_from_the_environment_passes(name: str) -> None:
    check_names(given(), project, {name: "x"})
