"""Changes in words."""

import pytest

from n8n_scraper.commands.narration import printable, report, summary

WORKFLOW = {
    "nodes_added": [{"name": "Slack", "type": "n8n-nodes-base.slack"}],
    "nodes_removed": [{"name": None, "type": None}],
    "nodes_renamed": [{"old": "A", "new": "B"}],
    "nodes_edited": [
        {
            "name": "Ask",
            "type": "t",
            "edits": [
                {"path": "parameters.url", "old": "x", "new": "y"},
                {"path": "parameters.code", "old": "a\nb\nc\nd", "new": "a\nb\nC\nd"},
                {"path": "disabled", "new": True},
            ],
        }
    ],
    "connections_added": ["A · main 0 → B · main 0"],
    "connections_removed": ["A · main 0 → C · main 0"],
    "other": [{"path": "settings.order", "old": "v0"}],
}


def test_a_difference_is_told_node_by_node() -> None:
    assert list(report({"workflow": WORKFLOW})) == [
        "workflow:",
        '  + node "Slack" (n8n-nodes-base.slack)',
        "  - node null (None)",
        '  ~ node "A" → "B"',
        '  ~ node "Ask" (t)',
        '      parameters.url: "x" → "y"',
        "      parameters.code:",
        "          @@ -2,3 +2,3 @@",
        "           b",
        "          -c",
        "          +C",
        "           d",
        "      disabled: nothing → true",
        "  + wire A · main 0 → B · main 0",
        "  - wire A · main 0 → C · main 0",
        '  ~ settings.order: "v0" → nothing',
    ]


def test_a_very_long_value_is_cut() -> None:
    [line] = report({"title": {"old": "x" * 5000, "new": "y"}})

    assert len(line) < 130
    assert "…" in line


@pytest.mark.parametrize(
    ("kind", "details", "said"),
    [
        ("new", {"title": "A", "slug": "a"}, ""),
        ("changed", {"version": 2, "fields": {"title": {"old": 1, "new": 2}}}, "title"),
        (
            "changed",
            {"fields": {"description": {"old": "", "new": ""}, "workflow": WORKFLOW}},
            "description, workflow (1 node added, 1 node removed, 1 node renamed, 1 node edited, "
            "1 wire added, 1 wire removed, 1 setting edited)",
        ),
        (
            "changed",
            {"fields": {"workflow": {"connections_added": ["", ""]}}},
            "workflow (2 wires added)",
        ),
        ("renamed", {"slug": {"old": "a", "new": "b"}}, 'slug "a" → "b"'),
        ("removed", {"reason": "it is gone"}, "it is gone"),
        ("returned", {"removed_at": "2026"}, ""),
    ],
)
def test_an_event_is_said_in_a_few_words(kind: str, details: dict[str, object], said: str) -> None:
    assert summary(kind, details) == said


def test_no_terminal_obeys_what_a_stranger_wrote() -> None:
    assert printable("a\x1b[31mb\ud800\x9bc\n") == "a\\x1b[31mb\\ud800\\x9bc\\n"
    assert printable("Übung → 🙂") == "Übung → 🙂"
