"""The bar on a terminal."""

import logging
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from n8n_scraper.core.source import Noun
from n8n_scraper.extensions.progress import BarDisplay, BarLine, LineDisplay
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.progress import BucketLevel, CrawlProgress, LeftAlone

ENDED = {"complete": 11_900, "partial": 80, "gone": 40, "blocked": 4, "failed": 10}
AT_WORK = CrawlProgress(
    Counts(ENDED, left=966),
    elapsed_seconds=17_500,
    requests_per_second=1.998,
    seconds_left=1_449,
    still_planning=False,
    bucket=BucketLevel(0.2, 1, 1.4, learned=True),
    left_alone=(LeftAlone("n8n.io", 40),),
    noun=Noun("mushroom", "mushrooms"),
)


def drawn(progress: CrawlProgress | None, width: int) -> list[str]:
    line = BarLine()
    line.progress = progress
    console = Console(file=StringIO(), width=width, force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(line)
    return [row.rstrip() for row in captured.get().splitlines()]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 132, 250])
@pytest.mark.parametrize(
    "progress", [None, AT_WORK, replace(AT_WORK, still_planning=True, counts=Counts())]
)
def test_the_bar_is_one_line_however_narrow_the_terminal(progress, width) -> None:
    rows = drawn(progress, width)

    assert len(rows) == 1
    assert len(rows[0]) <= width


def test_eighty_columns_tell_the_count_the_breaker_and_the_rest() -> None:
    (row,) = drawn(AT_WORK, 80)

    assert row.startswith("mushrooms ━━━━━")
    assert row.endswith(" 12034/13000 n8n.io left alone for 40 s more · 24 min 09 s left")


def test_on_a_healthy_day_eighty_columns_tell_the_outcomes() -> None:
    (row,) = drawn(
        replace(AT_WORK, left_alone=(), counts=Counts({"complete": 12_034}, left=966)), 80
    )

    assert row.endswith(" 12034/13000 12034 complete · 24 min 09 s left")


def test_a_wide_terminal_tells_everything() -> None:
    (row,) = drawn(AT_WORK, 250)

    for words in ("80 partial", "2.00 requests/s", "bucket 0.2/1 at 1.40/s, learned", "so far"):
        assert words in row


def test_the_next_drawing_is_as_wide_as_the_terminal_is_then() -> None:
    # Given a bar on a wide terminal
    console = Console(file=StringIO(), width=120, force_terminal=True, color_system=None)
    display = BarDisplay(console)
    display.show(AT_WORK)
    console.print(display.line)

    # When it is made narrower
    console.size = (50, 20)  # type: ignore[assignment]
    with console.capture() as captured:
        console.print(display.line)

    assert len(captured.get().rstrip("\n").splitlines()) == 1
    assert len(captured.get().rstrip()) < 50


def test_while_the_inventory_is_read_the_bar_says_so() -> None:
    (row,) = drawn(replace(AT_WORK, still_planning=True), 80)

    assert row.startswith("inventory")


def test_a_log_gets_a_line_for_every_ten(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    display = LineDisplay()
    display.begin(57)

    for done in range(57, 82):
        display.show(replace(AT_WORK, counts=Counts({"complete": done}, left=90 - done)))

    assert [record.getMessage()[:11] for record in caplog.records] == [
        "60 of 90 mu",
        "70 of 90 mu",
        "80 of 90 mu",
    ]
