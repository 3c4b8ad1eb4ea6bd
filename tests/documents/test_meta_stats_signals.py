"""The page of keys, stats and signals names all that there are."""

import re
from pathlib import Path

import pytest

from n8n_scraper.core import signals

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/meta-stats-signals.md").read_text()
CODE = {
    path: path.read_text()
    for path in (ROOT / "n8n_scraper").rglob("*.py")
    if "replica" not in path.parts
}
KEYS = {
    *re.findall(r'= "(\w+)"\n"""Key of `Request\.meta`', "\n".join(CODE.values())),
    *re.findall(r'request\.meta(?:\.setdefault\(|\[)"(\w+)"', "\n".join(CODE.values())),
    *re.findall(r'again\.meta\["(\w+)"\]', "\n".join(CODE.values())),
}
STATS = re.findall(r'(?:inc|set)_value\(\s*f?"([^"{]+)', "\n".join(CODE.values()))
SIGNALS = [name for name, value in vars(signals).items() if type(value) is object]


def test_there_is_something_to_look_for() -> None:
    assert len(KEYS) > 10
    assert len(STATS) > 5
    assert len(SIGNALS) > 3


@pytest.mark.parametrize("name", sorted(KEYS | {*SIGNALS}))
def test_every_key_and_every_signal_is_explained(name: str) -> None:
    assert f"\n| `{name}` |" in PAGE


@pytest.mark.parametrize("beginning", sorted(set(STATS)))
def test_every_stat_is_explained(beginning: str) -> None:
    assert f"`{beginning}" in PAGE
