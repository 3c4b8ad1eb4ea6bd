"""What a demo shows."""

from n8n_scraper.sources.n8n.commands.demo import _worse
from tests.unit.making import template


def test_of_equally_good_templates_the_oldest_comes_first() -> None:
    made = [template(number) for number in ("100", "9", "10")]

    assert [one.workflow_id for one in sorted(made, key=_worse)] == ["9", "10", "100"]
