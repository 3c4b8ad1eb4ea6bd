import json
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports.staging import Staging, manifest_of


def make(target: Path, text: str = "new") -> None:
    """Make a file as an export does."""
    with Staging(target, is_folder=False) as staging:
        staging.data.write_text(text)
        staging.manifest.write_text("{}")
        staging.commit()


def make_folder(target: Path, *names: str) -> None:
    """Make a folder as an export does."""
    with Staging(target, is_folder=True) as staging:
        staging.data.mkdir()
        for name in names:
            (staging.data / name).write_text(name)
        files = [{"name": name} for name, _ in staging.files()]
        staging.manifest.write_text(json.dumps({"files": files}))
        staging.commit()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_only_the_file_and_its_manifest_are_left(tmp_path: Path) -> None:
    make(tmp_path / "x.csv")

    assert names(tmp_path) == ["x.csv", "x.csv.manifest.json"]
    assert (tmp_path / "x.csv").read_text() == "new"


def test_work_that_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")

    with pytest.raises(TypeError), Staging(target, is_folder=False) as staging:
        staging.data.write_bytes("half")  # type: ignore[arg-type]

    assert names(tmp_path) == ["x.csv"]
    assert target.read_text() == "old"


def test_what_a_killed_export_left_is_cleared_away(tmp_path: Path) -> None:
    left = tmp_path / ".x.csv.exporting"
    (left / "deep").mkdir(parents=True)
    (left / "data").write_text("half")

    make(tmp_path / "x.csv")

    assert names(tmp_path) == ["x.csv", "x.csv.manifest.json"]


def test_a_second_export_to_the_same_target_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "x.csv"

    with Staging(target, is_folder=False) as first:
        first.data.write_text("first")
        with pytest.raises(BadInput, match="another export is writing"):
            make(target)

        assert first.data.read_text() == "first"


def test_a_folder_of_an_earlier_export_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "pages"
    make_folder(target, "a.md", "b.md")

    make_folder(target, "c.md")

    assert names(target) == ["c.md"]
    assert names(tmp_path) == ["pages", "pages.manifest.json"]


def test_an_empty_folder_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()

    make_folder(tmp_path / "pages", "a.md")

    assert names(tmp_path / "pages") == ["a.md"]


def test_a_folder_with_something_of_somebody_else_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "pages"
    make_folder(target, "a.md")
    (target / "thesis.md").write_text("mine")

    with pytest.raises(BadInput, match=r"what no export has made, such as pages/thesis\.md"):
        make_folder(target, "c.md")

    assert names(target) == ["a.md", "thesis.md"]


def test_a_folder_whose_exchange_was_cut_in_two_is_put_back(tmp_path: Path) -> None:
    target = tmp_path / "pages"
    make_folder(target, "a.md")
    staging = tmp_path / ".pages.exporting"
    staging.mkdir()
    target.rename(staging / "before")

    with pytest.raises(ZeroDivisionError), Staging(target, is_folder=True):
        raise ZeroDivisionError

    assert names(target) == ["a.md"]


def test_an_exchange_that_fails_halfway_is_taken_back(tmp_path: Path) -> None:
    target = tmp_path / "pages"
    make_folder(target, "a.md")

    def commit_what_is_not_there() -> None:
        with Staging(target, is_folder=True) as staging:
            staging.manifest.write_text("{}")
            staging.commit()

    with pytest.raises(FileNotFoundError):
        commit_what_is_not_there()

    assert names(target) == ["a.md"]


def test_a_link_is_followed_to_the_file_it_names(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "latest.csv").symlink_to("real.csv")

    make(tmp_path / "latest.csv")

    assert (tmp_path / "latest.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"
    assert manifest_of(tmp_path / "real.csv").exists()


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path, is_folder: bool) -> None:
    with (
        pytest.raises(BadInput, match="nowhere does not exist"),
        Staging(tmp_path / "nowhere" / "x", is_folder=is_folder),
    ):
        pass

    assert names(tmp_path) == []


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no file that could be replaced"):
        make(tmp_path)
    with pytest.raises(BadInput, match="no file that could be replaced"):
        make(Path("/dev/null"))


def test_a_file_is_refused_where_a_folder_is_made(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")

    with pytest.raises(BadInput, match="is a file, and this format makes a folder"):
        make_folder(tmp_path / "x")


def test_a_link_in_the_place_of_the_staging_folder_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("mine")
    (tmp_path / ".x.csv.exporting").symlink_to(precious)

    with pytest.raises(BadInput):
        make(tmp_path / "x.csv")

    assert names(precious) == ["file"]
