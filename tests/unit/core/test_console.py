"""Speaking to the person at the terminal."""

import io
import json
import sys

import pytest

from n8n_scraper.core.console import say


def test_a_sign_that_the_terminal_does_not_know_is_escaped_as_json_does_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))

    say("7 → 8 · é")
    say(json.dumps({"title": "é 🧲"}, ensure_ascii=False))

    plain, document = written.getvalue().decode("ascii").splitlines()
    assert plain == r"7 \u2192 8 \u00b7 \u00e9"
    assert json.loads(document) == {"title": "é 🧲"}


def test_signs_that_it_knows_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="utf-8"))

    say("7 → 8")

    assert written.getvalue().decode() == "7 → 8\n"
