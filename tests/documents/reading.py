"""The commands that stand in the documentation, as a shell would read them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PAGES = sorted(
    [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").rglob("*.md")]
)
_BLOCK = re.compile(r"^[ ]*```(\w+)\n(.*?)^[ ]*```$", re.DOTALL | re.MULTILINE)
_HEREDOC = re.compile(r"<<'(\w+)'\n.*?^\s*\1$", re.DOTALL | re.MULTILINE)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*=")


@dataclass(frozen=True)
class Command:
    """One command, with the variables that are set for it."""

    page: str
    words: tuple[str, ...]

    @property
    def variables(self) -> list[str]:
        """The names that it sets in its environment."""
        begin = self.words[1:] if self.words[0] == "export" else self.words
        names = []
        for word in begin:
            if not _VARIABLE.match(word):
                break
            names.append(word.partition("=")[0])
        return names

    @property
    def program(self) -> list[str]:
        """What is run, without the variables before it."""
        return list(self.words[len(self.variables) + (self.words[0] == "export") :])

    def __str__(self) -> str:
        return f"{self.page}: {shlex.join(self.words)}"


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Give page and text of every block in a language."""
    for page in PAGES:
        for kind, text in _BLOCK.findall(page.read_text()):
            if kind == language:
                yield str(page.relative_to(PROJECT)), text


def commands() -> list[Command]:
    """Give every command of every block that is to be pasted into a shell."""
    return [
        Command(page, words)
        for page, text in blocks("sh")
        for line in _HEREDOC.sub("", text).replace("\\\n", " ").splitlines()
        if (words := tuple(shlex.split(line, comments=True)))
    ]


def named() -> list[Command]:
    """Give every `scrapy …` that is named in the text itself."""
    inline = re.compile(r"`((?:\.venv/bin/)?scrapy [a-z][^`]*)`")
    return [
        Command(str(page.relative_to(PROJECT)), tuple(shlex.split(found.replace("…", "X"))))
        for page in PAGES
        for found in inline.findall(_BLOCK.sub("", page.read_text()))
    ]
