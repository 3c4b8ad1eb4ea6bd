"""What a person may type of what is to be read anew."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.records.rereading.selection import Selection
from n8n_scraper.sources.n8n.source import SOURCE

NOW = "2026-11-19T12:00:00.000Z"


def parsed(**given: str) -> Selection:
    return Selection.parse(SOURCE, given, NOW)


def test_nothing_typed_is_everything() -> None:
    assert parsed() == Selection()


def test_ids_are_taken_once_and_a_span_is_a_moment() -> None:
    assert parsed(ids="7, 8,7").ids == ("7", "8")
    assert parsed(since="1d") == Selection(since="2026-11-18T12:00:00.000Z", typed={"since": "1d"})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ids": "7,x"}, "-a ids=7,x: x is no id of templates. Write numbers with commas"),
        ({"ids": ""}, "-a ids=: nothing is no id of templates."),
        ({"since": "never"}, "-a since=never: write a day such as 2026-01-31, or a span"),
        ({"limit": "3"}, "-a limit=… is no argument of this command; it takes ids or since."),
        ({"ids": "7", "since": "1d"}, "-a ids and -a since exclude each other"),
    ],
)
def test_what_makes_no_sense_is_named_in_one_line(given: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput) as refused:
        parsed(**given)

    assert str(refused.value).startswith(words)
