"""What a picture's bytes say."""

import shutil
import stat
from io import BytesIO
from pathlib import Path

import pytest

from n8n_scraper.media.picture_files import NoPicture, can_look, look_into, read_text

PIL = pytest.importorskip("PIL.Image")


def picture(width: int, height: int, kind: str) -> bytes:
    stream = BytesIO()
    PIL.new("RGB", (width, height)).save(stream, kind)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("kind", "media_type", "suffix"),
    [("PNG", "image/png", ".png"), ("JPEG", "image/jpeg", ".jpeg"), ("GIF", "image/gif", ".gif"),
     ("WEBP", "image/webp", ".webp")],
)  # fmt: skip
def test_kind_and_size_are_read(kind: str, media_type: str, suffix: str) -> None:
    body = picture(7, 5, kind)

    facts = look_into(body)

    assert (facts.width, facts.height, facts.bytes) == (7, 5, len(body))
    assert (facts.media_type, facts.suffix) == (media_type, suffix)
    assert facts.path == f"{facts.sha256[:2]}/{facts.sha256}{suffix}"


def test_a_drawing_has_no_size_of_its_own() -> None:
    facts = look_into(b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')

    assert (facts.width, facts.media_type) == (None, "image/svg+xml")


@pytest.mark.parametrize(
    "body", [b"", b"<html></html>", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\x00" * 99]
)
def test_what_is_no_picture_is_refused(body: bytes) -> None:
    with pytest.raises(NoPicture):
        look_into(body)


def test_the_library_is_here() -> None:
    assert can_look()


def reader(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program of that name where it is found."""
    program = folder / "tesseract"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_without_a_reader_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    assert read_text(b"x", "image/png") == (None, "text not read: tesseract is not installed")


def test_a_text_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader(tmp_path, "cat >/dev/null; echo ' Hello '", monkeypatch)

    assert read_text(b"x", "image/png") == ("Hello", None)


def test_a_reader_that_fails_costs_the_text_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader(tmp_path, "exit 1", monkeypatch)

    text, reason = read_text(b"x", "image/png")

    assert (text, reason) == (None, "text not read: tesseract ended with status 1")


def test_a_reader_that_takes_too_long_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader(tmp_path, "exec sleep 30", monkeypatch)

    text, reason = read_text(b"x", "image/png", patience_seconds=0.1)

    assert (text, reason) == (None, "text not read: tesseract took longer than 0.1 s")


def test_a_reader_that_cannot_be_run_costs_the_text_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader(tmp_path, "", monkeypatch)
    (tmp_path / "tesseract").write_text("#!/nowhere/at/all\n")

    text, reason = read_text(b"x", "image/png")

    assert text is None
    assert reason == "text not read: tesseract cannot be run: No such file or directory"


def test_a_reader_works_with_one_thread_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader(tmp_path, "cat >/dev/null; echo $OMP_THREAD_LIMIT", monkeypatch)

    assert read_text(b"x", "image/png") == ("1", None)


def test_a_drawing_is_not_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader(tmp_path, "exit 0", monkeypatch)

    assert read_text(b"<svg/>", "image/svg+xml")[0] is None


def written(words: str, kind: str, ink: str = "black", paper: str = "white") -> bytes:
    """A picture with a few words in it, large enough for anybody to read."""
    drawing, fonts = pytest.importorskip("PIL.ImageDraw"), pytest.importorskip("PIL.ImageFont")
    canvas = PIL.new("RGB", (1000, 200), paper)
    drawing.Draw(canvas).text((40, 60), words, fill=ink, font=fonts.load_default(size=60))
    stream = BytesIO()
    canvas.save(stream, kind)
    return stream.getvalue()


@pytest.fixture
def tesseract() -> None:
    """The real program, where it is installed."""
    if shutil.which("tesseract") is None:
        pytest.skip("SKIPPED WITHOUT TESSERACT: nothing here reads the text of pictures")


@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_tesseract_itself_reads_the_words_of_a_picture(kind: str) -> None:
    body = written("Send the invoice to Slack", kind)

    text, reason = read_text(body, look_into(body).media_type)

    assert (text, reason) == ("Send the invoice to Slack", None)


@pytest.mark.usefixtures("tesseract")
def test_tesseract_itself_reads_light_words_on_a_dark_canvas() -> None:
    body = written("When a new order comes", "PNG", ink="white", paper="#2d2e2e")

    assert read_text(body, "image/png") == ("When a new order comes", None)


@pytest.mark.usefixtures("tesseract")
def test_a_picture_without_words_was_read_and_says_nothing() -> None:
    assert read_text(picture(300, 200, "PNG"), "image/png") == ("", None)


@pytest.mark.usefixtures("tesseract")
def test_a_torn_picture_costs_the_text_alone() -> None:
    text, reason = read_text(b"\x89PNG\r\n\x1a\n torn", "image/png")

    assert (text, reason) == (None, "text not read: tesseract ended with status 1")
