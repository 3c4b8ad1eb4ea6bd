"""Write commands as this process itself was started, so that they can be pasted."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

_COMMAND = re.compile(r"(?<![\w./-])scrapy (?=[a-z])")


def as_started(line: str) -> str:
    """Write `scrapy crawl …` as `.venv/bin/scrapy crawl …` where the shell finds it only so."""
    return _COMMAND.sub(lambda _: f"{program(sys.argv[0], shutil.which('scrapy'))} ", line)


def program(started_as: str, on_the_path: str | None) -> str:
    """Name the script that started us, unless the shell finds the very same one by itself."""
    script = Path(started_as)
    found = on_the_path is not None and script.exists() and script.samefile(on_the_path)
    return shlex.quote(started_as) if script.name == "scrapy" and not found else "scrapy"
