from typing import Any

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports.filters import Filters, read_filters
from n8n_scraper.exports.formats import formats_of, read_format
from n8n_scraper.sources.hk_events.source import SOURCE as EVENTS
from n8n_scraper.sources.n8n.source import SOURCE as TEMPLATES

NOW = "2026-02-01T00:00:00.000Z"
RECORD = {
    "categories": ["AI", "Lead Generation"],
    "node_types": {"n8n-nodes-base.httpRequest": 2, "n8n-nodes-base.webhook": 1},
    "trigger_types": ["n8n-nodes-base.webhook"],
    "author": {"name": "Ada L.", "username": "ada"},
}
NOTHING = dict.fromkeys(RECORD)


def read(given: dict[str, Any]) -> Filters:
    return read_filters(given, NOW, TEMPLATES)


def test_nothing_given_lets_everything_through() -> None:
    filters = read({})

    assert filters == Filters()
    assert filters.admit(NOTHING)
    assert filters.as_json() == {}


@pytest.mark.parametrize(
    "wanted",
    [
        {"category": ["lead generation"]},
        {"category": ["Other", "AI"]},
        {"node": ["n8n-nodes-base.httpRequest"]},
        {"node": ["httprequest"]},
        {"trigger": ["webhook"]},
        {"author": ["ADA"]},
        {"author": ["Ada L."]},
        {"author": ["ada"], "node": ["webhook"]},
    ],
)
def test_what_is_there_is_let_through(wanted: dict[str, Any]) -> None:
    assert read(wanted).admit(RECORD)


@pytest.mark.parametrize(
    "wanted",
    [
        {"category": ["Lead"]},
        {"node": ["slack"]},
        {"trigger": ["httpRequest"]},
        {"author": ["Ad"]},
        {"author": ["ada"], "node": ["slack"]},
    ],
)
def test_what_is_not_there_is_kept_back(wanted: dict[str, Any]) -> None:
    filters = read(wanted)

    assert not filters.admit(RECORD)
    assert not filters.admit(NOTHING)


def test_values_are_read_and_told() -> None:
    given = {"min_score": "62.5", "since": "7d", "ids": "2, 1,2", "limit": "5"}

    filters = read(given | {"outcome": ["partial"], "category": ["AI"]})

    assert filters.as_json() == {
        "category": ("AI",),
        "min_score": 62.5,
        "outcome": ("partial",),
        "since": "2026-01-25T00:00:00.000Z",
        "ids": ("2", "1"),
        "limit": 5,
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"min_score": "good"}, "--min-score is 'good'"),
        ({"min_score": "101"}, "--min-score is '101'"),
        ({"min_score": "nan"}, "--min-score is 'nan'"),
        ({"outcome": ["fine"]}, "--outcome is 'fine'; write one of complete"),
        ({"since": "yesterday"}, "--since is 'yesterday'"),
        ({"ids": "1,x"}, "--ids has 'x' in it"),
        ({"ids": ""}, "--ids has '' in it"),
        ({"limit": "0"}, "--limit is '0'"),
        ({"limit": "-1"}, "--limit is '-1'"),
        ({"category": [" "]}, "--category is empty"),
    ],
)
def test_nonsense_is_refused_by_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read(given)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        (None, {}, "--format is missing; write one of jsonl"),
        ("xml", {}, "--format is 'xml'"),
        ("jsonl", {"excel": True}, "--excel belongs to --format csv"),
        ("csv", {"seed": "1"}, "--seed belongs to --format finetune"),
        ("finetune", {"validation": "1"}, "--validation is '1'"),
        ("finetune", {"validation": "ten"}, "--validation is 'ten'"),
        ("finetune", {"seed": "-1"}, "--seed is '-1'"),
    ],
)
def test_a_format_or_option_that_is_none_is_refused(
    name: str | None, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        read_format(TEMPLATES, name, options)


def test_a_filter_that_only_another_source_has_is_refused() -> None:
    with pytest.raises(BadInput, match="--node is nothing that events have"):
        read_filters({"node": ["set"]}, NOW, EVENTS)


def test_every_format_is_found_by_its_name() -> None:
    formats = formats_of(TEMPLATES).items()

    assert all(read_format(TEMPLATES, name, {"excel": False}) is form for name, form in formats)


def test_present_and_removed_together_are_refused() -> None:
    assert read({"removed": True}).removed is True
    assert read({"present": True}).removed is False

    with pytest.raises(BadInput, match="leave nothing"):
        read({"present": True, "removed": True})
