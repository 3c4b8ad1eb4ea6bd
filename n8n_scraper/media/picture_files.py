"""Look into a picture's bytes: what it is, how large, and what is written in it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile

SECONDS_FOR_READING = 60.0
_MOST_BYTES_FOR_READING = 10 * 1024 * 1024
_NO_READER = "text not read: tesseract is not installed"


class NoPicture(ValueError):
    """What came under a picture's address is none."""


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """What the bytes of a picture say."""

    sha256: str
    bytes: int
    width: int | None
    height: int | None
    media_type: str
    suffix: str

    @property
    def path(self) -> str:
        """Where it is stored: by its content, so that the same picture is one file."""
        return f"{self.sha256[:2]}/{self.sha256}{self.suffix}"


def look_into(body: bytes) -> PictureFacts:
    """Name the kind and the size of a picture; raises NoPicture for what is none."""
    if not body:
        raise NoPicture("the answer was empty")
    digest = hashlib.sha256(body).hexdigest()
    if _is_svg(body):
        return PictureFacts(digest, len(body), None, None, "image/svg+xml", ".svg")
    width, height, kind, media_type = _measured(body)
    return PictureFacts(digest, len(body), width, height, media_type, f".{kind.lower()}")


def _is_svg(body: bytes) -> bool:
    head = body[:1000].lstrip().lower()
    return head.startswith((b"<svg", b"<?xml", b"<!doctype svg")) and b"<svg" in head


def _measured(body: bytes) -> tuple[int, int, str, str]:
    """Read the picture's head alone; nothing is unpacked, however large it claims to be."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(body)) as picture:
            kind = picture.format or "bin"
            return *picture.size, kind, Image.MIME.get(kind, "application/octet-stream")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise NoPicture("the answer is no picture") from None


def can_look() -> bool:
    """Whether the library that measures pictures is installed."""
    try:
        import PIL.Image
    except ImportError:
        return False
    return bool(PIL.Image)


def check_folder(folder: str) -> None:
    """Make the folder of pictures and write in it once; raises OSError where that cannot be done.

    What stands in a store of another kind (`s3://…`) is that store's to say.
    """
    if "://" not in folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass


def delete_files(folder: str, paths: Iterable[str]) -> list[str]:
    """Delete pictures; give those that are not deleted, for they are in a store of another kind."""
    if "://" in folder:
        return list(paths)
    for path in paths:
        (Path(folder) / path).unlink(missing_ok=True)
    return []


def read_text(
    body: bytes, media_type: str, *, patience_seconds: float = SECONDS_FOR_READING
) -> tuple[str | None, str | None]:
    """What is written in a picture, or None and the reason why nobody could read it."""
    program = shutil.which("tesseract")
    if program is None:
        return None, _NO_READER
    if media_type == "image/svg+xml" or len(body) > _MOST_BYTES_FOR_READING:
        return None, "text not read: of a kind or size that is not looked into"
    # Its own threads mostly wait for each other, and several pictures are read at a time.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        ran = subprocess.run(  # noqa: S603 - a program found on the path, and no shell
            [program, "stdin", "stdout"],
            input=body, env=environment,
            capture_output=True, timeout=patience_seconds, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None, f"text not read: tesseract took longer than {patience_seconds:g} s"
    except subprocess.CalledProcessError as error:
        return None, f"text not read: tesseract ended with status {error.returncode}"
    except OSError as error:
        return None, f"text not read: tesseract cannot be run: {error.strerror}"
    return ran.stdout.decode("utf-8", "replace").replace("\x00", "").strip(), None
