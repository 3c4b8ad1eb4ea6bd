"""Make files beside their final place, and put them there in one step, or not at all."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from n8n_scraper.core.errors import BadInput


def manifest_of(target: Path) -> Path:
    """Where the manifest of an export lies."""
    return target.with_name(f"{target.name}.manifest.json")


class Staging:
    """A folder of our own beside the target, gone when the block ends.

    What a killed export has left in it, the next export to the same target clears away.
    """

    def __init__(self, target: Path, *, is_folder: bool) -> None:
        self.target = target.resolve() if target.is_symlink() else target
        self.is_folder = is_folder
        self.folder = self.target.with_name(f".{self.target.name}.exporting")
        self.data = self.folder / "data"
        self.manifest = self.folder / "manifest"
        self._before = self.folder / "before"
        self._lock = ExitStack()

    def __enter__(self) -> Self:
        _check(self.target, is_folder=self.is_folder)
        try:
            self._take()
            self._clear()
        except OSError as error:
            self._lock.close()
            raise BadInput(
                f"nothing can be written beside {self.target}: {error.strerror}."
            ) from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bring_back()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.close()

    def files(self) -> Iterator[tuple[str, Path]]:
        """Name the files made, as they will be called, in order."""
        if not self.is_folder:
            yield self.target.name, self.data
            return
        for path in sorted(self.data.iterdir()):
            yield f"{self.target.name}/{path.name}", path

    def commit(self) -> None:
        """Put everything in its place; the manifest last, so that it never speaks too early."""
        for path in (self.manifest, *(() if self.is_folder else (self.data,))):
            with path.open("rb") as file:
                os.fsync(file.fileno())
        if self.is_folder and self.target.exists():
            self.target.rename(self._before)
        self.data.replace(self.target)
        self.manifest.replace(manifest_of(self.target))

    def _take(self) -> None:
        """Make the folder and lock it; a second export to the same target is refused."""
        self.folder.mkdir(exist_ok=True)
        opened = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        self._lock.callback(os.close, opened)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = os.fstat(opened).st_ino == self.folder.stat().st_ino
        except OSError:
            is_ours = False
        if not is_ours:
            self._lock.close()
            raise BadInput(f"another export is writing {self.target}; wait for its end.")

    def _clear(self) -> None:
        self._bring_back()
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _bring_back(self) -> None:
        """Put the former export back where something came between the two renames."""
        if self._before.exists() and not self.target.exists():
            self._before.rename(self.target)


def _check(target: Path, *, is_folder: bool) -> None:
    """Refuse a target that cannot be written, or that holds what no export has made."""
    if not target.name:
        raise BadInput(f"--output {target} is no name of its own; name a file or folder to make.")
    if not target.parent.is_dir():
        raise BadInput(f"the folder {target.parent} does not exist; make it, or write elsewhere.")
    if not target.exists():
        return
    kind = target.stat().st_mode
    if is_folder and not stat.S_ISDIR(kind):
        raise BadInput(f"{target} is a file, and this format makes a folder; name another.")
    if not is_folder and not stat.S_ISREG(kind):
        raise BadInput(f"{target} is no file that could be replaced; name another.")
    if is_folder and (strangers := _strangers(target)):
        raise BadInput(
            f"{target} holds what no export has made, such as {strangers[0]}; name another folder."
        )


def _strangers(folder: Path) -> list[str]:
    """Name what lies in a folder and does not stand in its manifest."""
    ours = _made_before(folder)
    names = (f"{folder.name}/{path.relative_to(folder)}" for path in folder.rglob("*"))
    return sorted(name for name in names if name not in ours)


def _made_before(folder: Path) -> set[str]:
    try:
        manifest: Any = json.loads(manifest_of(folder).read_bytes())
        return {file["name"] for file in manifest["files"]}
    except (OSError, ValueError, LookupError, TypeError):
        return set()
