"""What is installed."""

from pathlib import Path

from n8n_scraper.doctor.finding import State
from n8n_scraper.doctor.installed import installed, look


def test_what_is_pinned_otherwise_or_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("# All.\nscrapy==0.1\nno-such-package[x]==2.0\n")

    versions, *_ = look(tmp_path)

    assert versions.state is State.WARN
    assert f"scrapy {installed('scrapy')} (wanted 0.1)" in versions.words
    assert "no-such-package is missing (wanted 2.0)" in versions.words


def test_each_optional_part_says_what_it_is_for(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("")
    first = "# What far journeys need besides requirements.txt (FAR=1).\n"
    (tmp_path / "requirements-far.txt").write_text(first + "no-such-package==1\n")
    (tmp_path / "requirements-dev.txt").write_text("# What tests need.\nno-such-package==1\n")

    _, far, programs = look(tmp_path)

    assert (far.name, far.words) == ("far", "not installed: what far journeys need (FAR=1)")
    assert far.remedy == "pip install -r requirements-far.txt"
    assert programs.name == "programs"


def test_here_everything_is_as_pinned() -> None:
    versions, *_ = look()

    assert versions.state is State.OK, versions.words
