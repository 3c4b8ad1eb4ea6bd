"""Looking for secrets takes as long as the text is, however many there are and wherever."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from n8n_scraper.policies.safety.secrets import findings_in, redact
from tests.growth import times_as_long

TELEGRAM = f"12345678:AAHdqTcvCH1v{'WJxfSeofSAs0K5PALDsawb':x<23}"

HOSTILE: dict[str, Callable[[int], Any]] = {
    "passwords": lambda size: "password:a1b2c3d4e5f6g7 " * (size // 23),
    "words for passwords": lambda size: "password:" * (size // 9),
    "addresses": lambda size: "ada.lee@acme.io " * (size // 16),
    "secrets of several kinds": lambda size: "".join(
        f"ada{number}@acme.io sk-{number:08}aBcDeFgHiJkLmNoPq " for number in range(size // 46)
    ),
    "secrets that hide each other": lambda size: TELEGRAM * (size // len(TELEGRAM)),
    "keys that differ by secrets": lambda size: {
        f"ada{number}@acme.io": None for number in range(size // 16)
    },
    "a long key above many": lambda size: {"a" * (size // 2): ["ada.lee@acme.io"] * (size // 32)},
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("work", [findings_in, redact])
def test_twice_the_text_takes_about_twice_the_time(name: str, work: Callable[[Any], Any]) -> None:
    once, twice = HOSTILE[name](60_000), HOSTILE[name](120_000)

    assert times_as_long(partial(work, twice), partial(work, once), limit=3) < 3


def test_a_text_in_which_secrets_hide_secrets_without_end_is_replaced_as_a_whole() -> None:
    text = f"Mine: {TELEGRAM * 30}."

    assert redact(text) == "[REDACTED:secrets beside secrets]"
    assert ("secrets beside secrets", 1) in [(one.kind, one.count) for one in findings_in(text)]


def test_a_place_far_down_is_told_as_far_as_it_can_be_read() -> None:
    value: Any = "ada.lee@acme.io"
    for _ in range(300):
        value = {"deeper": value}

    [found] = findings_in(value, "workflow")

    assert found.place.startswith("workflow.deeper.deeper")
    assert found.place.endswith(".deeper …")
    assert len(found.place) < 510
