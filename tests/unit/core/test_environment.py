"""Where the value of a setting comes from."""

import pytest
from scrapy.settings import Settings, default_settings
from scrapy.utils.conf import feed_process_params_from_cli

from n8n_scraper import settings as project
from n8n_scraper.core.environment import check_names, given_by_hand, setting, take_old_names
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.old_names import OLD_NAMES

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
        ("ITEMS_UNDERWAY", "ITEMS_UNDER_WAY"),
        ("N8N_REDCT", "REDACT"),
    ],
)
def test_a_slip_on_the_command_line_is_told_with_the_name_that_was_meant(typed, meant) -> None:
    with pytest.raises(BadInput, match=f"-s {typed}: there is no such setting; is it {meant}"):
        check_names(given(typed), project, NO_ENVIRONMENT)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("N8N_PROGESS", "PROGRESS"),
        ("TRANSCRPT_RATE", "TRANSCRIPT_RATE"),
        ("N8N_MOST_REMOVD", "MOST_REMOVED"),
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
        *("CONTACTS", "TRANSCRIPT", "N8N_CONTACT", "N8N_TEMPLATES_UNDER_WAY"),
        *("LOGLEVEL", "USERAGENT", "HOME", "PATH", "HTTP_PROXY", "PROGRESS"),
    ],
)
def test_what_other_programs_read_from_the_environment_passes(name: str) -> None:
    check_names(given(), project, {name: "x"})


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_an_old_name_gives_its_value_to_the_new_one_and_says_so(old: str, new: str) -> None:
    settings = given(old)

    said = take_old_names(settings, NO_ENVIRONMENT)

    assert said == [f"{old} is called {new} by now."]
    assert settings[new] == "x"
    check_names(settings, project, NO_ENVIRONMENT)


@pytest.mark.parametrize("new", OLD_NAMES.values())
def test_the_new_name_is_a_setting_of_ours_and_none_of_scrapys(new: str) -> None:
    assert hasattr(project, new)
    assert not hasattr(default_settings, new)


def test_what_is_noted_of_a_command_has_the_new_name_alone() -> None:
    settings = given("N8N_REDACT")

    take_old_names(settings, NO_ENVIRONMENT)

    assert given_by_hand(settings) == {"REDACT": "x"}


def test_old_names_are_taken_once_however_often_they_are_looked_for() -> None:
    settings = given("N8N_REDACT")

    once = take_old_names(settings, NO_ENVIRONMENT)

    assert take_old_names(settings, NO_ENVIRONMENT) == once
    assert settings["REDACT"] == "x"


def test_two_values_for_one_setting_are_refused_and_not_repeated() -> None:
    settings = given("N8N_TRANSCRIPT_PROXY")
    settings.set("TRANSCRIPT_PROXY", "http://me:s3cret@proxy", priority="cmdline")

    with pytest.raises(BadInput, match="TRANSCRIPT_PROXY by now, and both are given") as refused:
        take_old_names(settings, NO_ENVIRONMENT)

    assert "s3cret" not in str(refused.value)


def test_the_same_value_twice_is_no_contradiction() -> None:
    settings = given("N8N_REDACT", "REDACT")

    assert take_old_names(settings, NO_ENVIRONMENT) == ["N8N_REDACT is called REDACT by now."]


def test_two_variables_with_two_values_are_refused() -> None:
    with pytest.raises(BadInput, match="leave N8N_REDACT out"):
        take_old_names(given(), {"N8N_REDACT": "off", "REDACT": "report"})


def test_a_variable_is_read_by_its_old_name_where_the_new_one_is_unset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("N8N_REDACT", "off")
    monkeypatch.setenv("REDACT", "")

    assert setting("REDACT", "report") == "off"


@pytest.mark.parametrize(("by_hand", "other"), [("REDACT", "N8N_REDACT"), ("N8N_REDACT", "REDACT")])
def test_the_command_line_comes_before_a_file_under_whichever_name(by_hand, other) -> None:
    settings = Settings()
    settings.set(other, "file", priority="project")
    settings.set(by_hand, "hand", priority="cmdline")

    take_old_names(settings, NO_ENVIRONMENT)

    assert settings["REDACT"] == "hand"


def test_a_settings_file_that_goes_on_from_ours_may_use_an_old_name() -> None:
    # Given a file with `from n8n_scraper.settings import *` and a line of its own
    settings = given()
    settings.set("N8N_REDACT", "off", priority="project")

    take_old_names(settings, NO_ENVIRONMENT)

    assert settings["REDACT"] == "off"


def test_a_settings_file_with_both_names_and_two_values_is_refused() -> None:
    settings = given()
    settings.setdict({"N8N_REDACT": "off", "REDACT": "replace"}, priority="project")

    with pytest.raises(BadInput, match="both are given"):
        take_old_names(settings, NO_ENVIRONMENT)
