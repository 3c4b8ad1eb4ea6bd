"""A sources file that is read anew when it changes, for whoever goes on for long."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path

from n8n_scraper.sources_file.faults import BadSources
from n8n_scraper.sources_file.reading import read_sources
from n8n_scraper.sources_file.sources import Sources

_Seen = tuple[int, int, int]


class WatchedSources:
    """What a file says; where it says nothing sensible, what it said before.

    Each edit that makes no sense costs one line.
    """

    def __init__(self, path: Traversable, tell: Callable[[str], object]) -> None:
        self._path = path
        self._tell = tell
        self._seen: _Seen | str | None = "never"
        self._good = Sources(str(path), ())

    def now(self) -> Sources:
        """Give what holds now; without a first good reading that is no site at all."""
        seen = self._look()
        if seen != self._seen:
            self._seen = seen
            self._read()
        return self._good

    def _look(self) -> _Seen | None:
        if not isinstance(self._path, Path):  # inside of one file, which nobody edits
            return None
        try:
            found = self._path.stat()
        except OSError:  # reading it says why
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _read(self) -> None:
        try:
            self._good = read_sources(self._path)
        except BadSources as faults:
            first, *others = faults.lines
            more = f" ({len(others)} more)" if others else ""
            holds = (
                "what it said before holds" if self._good.entries else "no site is crawled by it"
            )
            self._tell(f"{first}{more}; until it is mended, {holds}.")
