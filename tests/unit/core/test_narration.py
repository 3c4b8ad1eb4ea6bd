"""Changes in words."""

import pytest

from n8n_scraper.core.narration import report, summary
from n8n_scraper.core.wording import field_in_full, field_in_short, printable


def test_a_very_long_value_is_cut() -> None:
    [line] = report({"title": {"old": "x" * 5000, "new": "y"}}, field_in_full)

    assert len(line) < 130
    assert "…" in line


@pytest.mark.parametrize(
    ("kind", "details", "said"),
    [
        ("new", {"title": "A", "slug": "a"}, ""),
        ("changed", {"version": 2, "fields": {"title": {"old": 1, "new": 2}}}, "title"),
        ("renamed", {"slug": {"old": "a", "new": "b"}}, 'slug "a" → "b"'),
        ("removed", {"reason": "it is gone"}, "it is gone"),
        ("returned", {"removed_at": "2026"}, ""),
    ],
)
def test_an_event_is_said_in_a_few_words(kind: str, details: dict[str, object], said: str) -> None:
    assert summary(kind, details, field_in_short) == said


def test_no_terminal_obeys_what_a_stranger_wrote() -> None:
    assert printable("a\x1b[31mb\ud800\x9bc\n") == "a\\x1b[31mb\\ud800\\x9bc\\n"
    assert printable("Übung → 🙂") == "Übung → 🙂"
