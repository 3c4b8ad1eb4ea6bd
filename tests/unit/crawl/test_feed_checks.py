"""What is looked at before a feed is begun."""

import os
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.feed_checks import (
    check_feeds,
)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A feed that an earlier crawl has left."""
    path = tmp_path / "templates.feed"
    path.write_bytes(b"something")
    return path


def feeds(uri: object, kind: str, **options: Any) -> Settings:
    return Settings({"FEEDS": {uri: {"format": kind, **options}}})


@pytest.mark.parametrize(
    ("kind", "named"), [("parquet", "a Parquet file"), ("json", "a JSON file"), ("xml", "XML")]
)
def test_a_feed_that_cannot_be_appended_to_is_refused_with_what_to_write(
    written: Path, kind: str, named: str
) -> None:
    with pytest.raises(BadInput) as refused:
        check_feeds(feeds(str(written), kind))

    said = str(refused.value)
    assert said.startswith(f"{written} is there already")
    assert named in said
    assert "write -O" in said
    assert "\n" not in said


def test_an_address_and_a_path_are_looked_at_as_well(written: Path) -> None:
    for uri in (written, written.as_uri()):
        with pytest.raises(BadInput):
            check_feeds(feeds(uri, "parquet"))


@pytest.mark.parametrize("kind", ["jsonlines", "csv"])
def test_what_is_line_after_line_goes_on(written: Path, kind: str) -> None:
    check_feeds(feeds(str(written), kind))


def test_a_feed_that_is_replaced_may_be_there(written: Path) -> None:
    check_feeds(feeds(str(written), "parquet", overwrite=True))


@pytest.mark.parametrize("name", ["new.parquet", "part-%(batch_id)d.parquet"])
def test_a_feed_that_is_not_there_yet_is_begun(tmp_path: Path, name: str) -> None:
    check_feeds(feeds(str(tmp_path / name), "parquet"))


def test_an_empty_file_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").touch()

    check_feeds(feeds(str(tmp_path / "x.parquet"), "parquet"))


def test_a_crawl_without_feeds_has_nothing_to_refuse() -> None:
    check_feeds(Settings())


def test_a_feed_where_nothing_can_be_written_is_refused_in_one_line(written: Path) -> None:
    for place in (written / "x.jsonl", written / "deep" / "x.jsonl", written.parent):
        with pytest.raises(BadInput, match=r"cannot be written: (it is a|.* is no) folder\.$"):
            check_feeds(feeds(str(place), "jsonlines", overwrite=True))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_feed_in_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    with pytest.raises(BadInput, match="is not open to you for writing"):
        check_feeds(feeds(str(tmp_path / "x.jsonl"), "jsonlines", overwrite=True))


@pytest.mark.parametrize("uri", ["new/deep/x.jsonl", "s3://bucket/x.jsonl", "-", "stdout:"])
def test_a_folder_that_will_be_made_and_what_is_no_file_is_no_reason_to_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uri: str
) -> None:
    monkeypatch.chdir(tmp_path)

    check_feeds(feeds(uri, "jsonlines", overwrite=True))


@pytest.mark.parametrize("kind", ["parquet", "json", "xml"])
def test_a_file_that_has_an_end_does_not_belong_to_a_crawl_that_can_go_on(
    kind: str, tmp_path: Path
) -> None:
    written = str(tmp_path / f"new.{kind}")
    to_append, to_replace = feeds(written, kind), feeds(written, kind, overwrite=True)
    one_a_process = feeds(f"{tmp_path}/%(time)s.{kind}", kind)
    for settings in (to_append, to_replace, one_a_process):
        settings.set("JOBDIR", "state")

    with pytest.raises(BadInput, match=r"can go on later.* write -O"):
        check_feeds(to_append)
    check_feeds(to_replace)
    check_feeds(one_a_process)
