"""Read a sources file as a whole: either every entry can be worked with, or each fault is named."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from parsel.csstranslator import HTMLTranslator
from pydantic import ValidationError

from n8n_scraper.core.source import Source
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.sources import all_sources
from n8n_scraper.sources_file.entry import (
    KEYS,
    NAME,
    SELECTED,
    Entry,
    is_of_pages,
    what_to_write,
)
from n8n_scraper.sources_file.faults import BadSources, Fault, faults_of, in_lines, shown, unknown
from n8n_scraper.sources_file.places import lines_of
from n8n_scraper.sources_file.sources import Sources

TABLE = "sources"
"""What the tables of the sites stand in: `[sources.NAME]`."""

DEFAULT: Traversable = files("n8n_scraper.sources_file") / "sources.toml"
"""The file that comes with the package, which may be one file itself, as an egg."""

_OF_CSS = ("follow", "next")

_AT_LINE = re.compile(r"at line (\d+)")

_ATTRIBUTE = re.compile(r"@[\w-]+\Z")
"""What may stand behind the selector of a field: the attribute that has it."""


def read_sources(path: Traversable = DEFAULT) -> Sources:
    """Read a file, or raise BadSources with a line for each of its faults.

    Of the file that comes with the package an entry is left out whose source has no folder here:
    somebody has taken that folder away, and would have to mend a file that is not theirs.
    """
    name = path.name if path == DEFAULT else str(path)
    text = _text_of(path, name)
    tables = _parsed(text, name)
    kinds = {source.name: source for source in all_sources()}
    if path == DEFAULT:
        tables = _of_sources_here(tables, kinds)
        if not tables[TABLE]:
            return Sources(name, ())
    found = _Reading(tables, kinds)
    if found.faults:
        raise BadSources(in_lines(name, found.faults, lines_of(text)))
    return Sources(name, tuple(found.entries))


def _text_of(path: Traversable, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadSources([f"{name}: there is no such file; SOURCES_FILE names it."]) from None
    except UnicodeDecodeError:
        raise BadSources([f"{name}: it is not written in UTF-8; save it so."]) from None
    except OSError as error:
        raise BadSources([f"{name}: it cannot be read: {error.strerror}."]) from None


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        words = str(error)
        at = _AT_LINE.search(words)  # or it speaks of the end of the document
        place = f"{name}:{at[1]}" if at else name
        raise BadSources([f"{place}: this is no TOML: {words}."]) from None


def _of_sources_here(tables: dict[str, Any], kinds: Mapping[str, Source]) -> dict[str, Any]:
    sites: dict[str, Any] = tables[TABLE]
    return {TABLE: {name: one for name, one in sites.items() if one["kind"] in kinds}}


class _Reading:
    """The entries of a file, and what is wrong with any of them."""

    def __init__(self, tables: Mapping[str, Any], kinds: Mapping[str, Source]) -> None:
        self.entries: list[Entry] = []
        self.faults: list[Fault] = []
        self._kinds = kinds
        for key in tables.keys() - {TABLE}:
            self.faults.append(Fault((key,), unknown("table", key, [TABLE])))
        sites = tables.get(TABLE)
        if not isinstance(sites, Mapping) or not sites:
            words = f"it names no site; write a table for each, as in [{TABLE}.city_hall]."
            self.faults.append(Fault((), words))
            return
        for name, given in sites.items():
            self._read(name, given)
        self.faults += _doubled(sites)

    def _read(self, name: str, given: Any) -> None:
        path = (TABLE, name)
        if not isinstance(given, Mapping):
            self._note(path, f" is {shown(given)}; write a table, as in [{TABLE}.{name}].")
            return
        if not NAME.fullmatch(name):
            self._note(path, f": write a name of {what_to_write('name')}.")
        unnamed = {key: value for key, value in given.items() if key != "name"}
        if "name" in given:
            self._note((*path, "name"), unknown("key", "name", KEYS))
        try:
            entry = Entry(name=name, **unnamed)
        except ValidationError as error:
            self.faults += faults_of(TABLE, name, error)
            if isinstance(kind := given.get("kind"), str):
                self._find_source(name, kind)
            return
        before = len(self.faults)
        self.faults += list(self._unfit(entry))
        if len(self.faults) == before:
            self.entries.append(entry)

    def _note(self, path: tuple[str, ...], words: str) -> None:
        self.faults.append(Fault(path, words))

    def _find_source(self, name: str, kind: str) -> Source | None:
        """Give the source that reads a site; note where there is none."""
        if kind not in self._kinds:
            words = f" is {shown(kind)}{unknown('source', kind, self._kinds)}"
            self._note((TABLE, name, "kind"), words)
        return self._kinds.get(kind)

    def _unfit(self, entry: Entry) -> Iterator[Fault]:
        """Find what is well written, and does not fit to the rest."""
        path = (TABLE, entry.name)
        source = self._find_source(entry.name, entry.kind)
        if source is None:
            return
        fields = source.kind().item.model_fields
        for field in entry.required.keys() - fields.keys():
            words = unknown(f"field of {source.noun.many}", field, sorted(fields))
            yield Fault((*path, "required", field), words)
        yield from _bad_selectors(entry)
        if source.divided_by:
            yield from _unread(entry)
        else:
            for key in entry.model_fields_set & {key for key in KEYS if is_of_pages(key)}:
                words = f": {source.name} has a spider of its own, which does not read it"
                yield Fault((*path, key), f"{words}; leave it out.")
            for tool in entry.timeouts.keys() - {Tool.HTTP}:
                words = f": {source.name} is asked by http alone; leave it out."
                yield Fault((*path, "timeouts", tool), words)


def _unread(entry: Entry) -> Iterator[Fault]:
    """Find what a spider that reads whichever site is named could not work with."""
    path = (TABLE, entry.name)
    if entry.timezone is None:
        yield Fault((*path, "timezone"), f" is missing; write {what_to_write('timezone')}.")
    if entry.leaves_a_choice and not entry.required:
        words = " leaves a choice: name in `required` the fields by which it is made."
        yield Fault((*path, "tools"), words)
    for field in entry.selectors.keys() - SELECTED:
        yield Fault((*path, "selectors", field), unknown("field", field, SELECTED))


def _bad_selectors(entry: Entry) -> Iterator[Fault]:
    given: list[tuple[tuple[str, ...], str]]
    given = [(("selectors", key), value) for key, value in entry.selectors.items()]
    given += [((key,), value) for key in _OF_CSS if (value := getattr(entry, key))]
    for where, selector in given:
        try:
            HTMLTranslator().css_to_xpath(_ATTRIBUTE.sub("", selector))
        except SyntaxError as error:  # all of cssselect's errors are such
            words = f" is {shown(selector)}, which is no CSS selector: {error}."
            yield Fault((TABLE, entry.name, *where), words)


def _doubled(sites: Mapping[str, Any]) -> Iterator[Fault]:
    """Find addresses that two entries of a kind have."""
    seen: dict[tuple[str, str, str], str] = {}
    for name, given in sites.items():
        if not isinstance(given, Mapping):
            continue
        address, kind = given.get("address"), given.get("kind")
        if not isinstance(address, str) or not isinstance(kind, str):
            continue
        key = (address.rstrip("/").lower(), kind, str(given.get("arguments")))
        if (other := seen.setdefault(key, name)) != name:
            words = f" is that of {other} as well; give each address to one site."
            yield Fault((TABLE, name, "address"), words)
