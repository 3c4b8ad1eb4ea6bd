"""What has changed in a template, in words."""

from n8n_scraper.sources.n8n.rules.difference_words import in_full, in_short

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
    assert list(in_full("workflow", WORKFLOW)) == [
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


def test_a_difference_is_counted_part_by_part() -> None:
    assert in_short("workflow", WORKFLOW) == (
        "workflow (1 node added, 1 node removed, 1 node renamed, 1 node edited, "
        "1 wire added, 1 wire removed, 1 setting edited)"
    )
    assert in_short("workflow", {"connections_added": ["", ""]}) == "workflow (2 wires added)"
    assert in_short("title", {"old": "a", "new": "b"}) == "title"


def test_any_other_field_is_told_by_its_two_values() -> None:
    assert list(in_full("title", {"old": "a", "new": "b"})) == ['title: "a" → "b"']
