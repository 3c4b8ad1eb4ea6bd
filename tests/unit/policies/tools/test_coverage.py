from n8n_scraper.policies.tools.coverage import coverage_of

REQUIRED = ("title", "start", "location", "description")


def test_what_is_filled_of_what_is_required_is_counted() -> None:
    found = coverage_of(
        [
            {"title": "Concert", "start": "2026-01-01", "location": "Hall", "description": "Long"},
            {"title": "Fair", "start": None, "location": "  ", "price": 5},
        ],
        REQUIRED,
    )

    assert found.share == 5 / 8
    assert found.share_of("title") == 1.0
    assert found.share_of("start") == 0.5


def test_no_item_covers_nothing() -> None:
    found = coverage_of([], REQUIRED)

    assert (found.share, found.share_of("title")) == (0.0, 0.0)


def test_zero_and_false_are_values_and_blank_text_and_empty_lists_are_none() -> None:
    values = [0, False, 0.0, "", " \n", [], {}, None]

    found = coverage_of([{"price": value} for value in values], ["price"])

    assert found.filled == 3
