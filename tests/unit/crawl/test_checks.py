"""Settings that nobody can work with are refused before anything starts."""

import sys
from pathlib import Path

import pytest
from scrapy.settings import Settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.checks import check_settings, kept_settings


def given(**values: str) -> Settings:
    settings = Settings()
    settings.setmodule("n8n_scraper.settings")
    settings.update(values)
    return settings


@pytest.mark.parametrize("name", ["REDACT", "PROGRESS"])
def test_a_choice_is_told_in_plain_words(name: str) -> None:
    with pytest.raises(BadInput, match=rf"{name} is 'x'; write (\w+, )+\w+ or \w+\."):
        check_settings(given(**{name: "x"}))


def test_the_settings_as_they_come_are_good() -> None:
    check_settings(given())


@pytest.mark.parametrize("share", ["-0.1", "1.1", "10 %", "nan", ""])
def test_a_share_is_a_part_of_one(share: str) -> None:
    with pytest.raises(BadInput, match=r"MOST_REMOVED.*write a share from 0 to 1"):
        check_settings(given(MOST_REMOVED=share))


@pytest.mark.parametrize("share", ["0", "0.25", "1"])
def test_none_and_all_of_it_are_shares_too(share: str) -> None:
    check_settings(given(MOST_REMOVED=share))


@pytest.mark.parametrize("name", ["DOWNLOAD_PICTURES", "ROBOTSTXT_OBEY", "TELNETCONSOLE_ENABLED"])
def test_a_switch_is_on_or_off(name: str) -> None:
    with pytest.raises(BadInput, match=f"{name} is 'maybe'; write True or False"):
        check_settings(given(**{name: "maybe"}))


@pytest.mark.parametrize(
    "name", ["DNS_TIMEOUT", "DATABASE_PATIENCE", "RETRY_AFTER_CAP", "COMPUTE_PROCESS_AFTER"]
)
def test_a_time_is_a_number_of_seconds(name: str) -> None:
    with pytest.raises(BadInput, match=f"{name} is 'soon'; write a number of seconds"):
        check_settings(given(**{name: "soon"}))


def test_pictures_need_a_folder_that_can_be_written_to(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    (tmp_path / "file").touch()
    folder = f"{tmp_path}/file/images"

    with pytest.raises(BadInput, match=r"PICTURES_DIR is .* Not a directory\. Name a folder"):
        check_settings(given(DOWNLOAD_PICTURES="1", PICTURES_DIR=folder))


def test_pictures_need_the_library_that_measures_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)  # as where it is not installed

    with pytest.raises(BadInput, match=r"needs Pillow.* pip install -r requirements-images\.txt"):
        check_settings(given(DOWNLOAD_PICTURES="1", PICTURES_DIR=str(tmp_path)))


def test_without_pictures_their_folder_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    check_settings(given(PICTURES_DIR=f"{tmp_path}/file/images"))


@pytest.mark.parametrize("name", ["DEPTH_LIMIT", "CLOSESPIDER_TIMEOUT", "AUTOTHROTTLE_MAX_DELAY"])
def test_a_number_of_scrapys_is_a_number(name: str) -> None:
    with pytest.raises(BadInput, match=f"{name} is 'abc'; write a number"):
        check_settings(given(**{name: "abc"}))


def test_a_log_file_is_one_that_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"LOG_FILE .* cannot be written: No such file or directory"):
        check_settings(given(LOG_FILE=f"{tmp_path}/none/crawl.log"))


def test_what_shapes_a_run_is_kept_with_it() -> None:
    assert {"RATE_LIMIT_RATE", "RATE_LIMIT_BURST", "RATE_LIMITS"} <= set(kept_settings())
    assert {"CONCURRENT_REQUESTS", "ROBOTSTXT_OBEY", "USER_AGENT"} <= set(kept_settings())
    assert "TRANSCRIPT_PROXY" not in kept_settings()
