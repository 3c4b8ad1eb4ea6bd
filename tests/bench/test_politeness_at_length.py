"""What the documentation promises of the pace, measured at the site over whole crawls."""

import json
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from n8n_scraper.testing.stand_in import running_stand_in
from tests.politeness import TRANSIENT, category_is_right, crawl_judged, warm_up
from tests.server_side import achieved, inside_windows, overdraft, statuses

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


@pytest.mark.parametrize("rate", [2, 20, 100])
def test_a_hundred_and_fifty_requests_at_the_pace(rate: int, tmp_path: Path) -> None:
    with running_stand_in(templates=50) as stand_in:
        warm_up(stand_in)
        # Everything else as it comes out of the box
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=rate)

    over, share = overdraft(judged.log, rate, 5), achieved(judged.log, rate, 5)
    print(
        f"\n{rate}/s: {len(judged.log)} requests, {share:.2%} of the allowed, overdraft {over:.3f}"
    )
    assert statuses(judged.log) == {200: 153}
    assert over <= 0.05
    assert share >= 0.98


def test_a_limit_ten_times_stricter_than_we_were_told(tmp_path: Path) -> None:
    with running_stand_in(
        templates=100, enforce_rate=5, enforce_burst=5, retry_after="2"
    ) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, "-a", "chain=lean", RATE_LIMIT_RATE=50)

    served = statuses(judged.log)
    seconds = judged.log[-1]["t"] - judged.log[0]["t"]
    ideal = (served[200] - 5) / 5
    print(f"\n{served}, {seconds:.1f} s, {seconds / ideal:.2f} times the ideal")
    assert judged.outcomes() == {"complete": 100}
    assert inside_windows(judged.log, 2.0) == 0
    assert seconds <= 1.5 * ideal


def test_five_hundred_templates_with_a_tenth_of_all_requests_failing(tmp_path: Path) -> None:
    rule = {"kinds": TRANSIENT, "share": 0.1, "times": 1, "path": "/workflows/"}
    with running_stand_in(templates=500, faults=[rule], drip_s=0.5) as stand_in:
        judged = crawl_judged(
            stand_in, tmp_path, "-s", "DOWNLOAD_TIMEOUT=5", LOG_LEVEL="DEBUG", RATE_LIMIT_RATE=100
        )

    outcomes = judged.outcomes()
    faults = [record for record in judged.log if record["fault"]]
    wrong = [record["path"] for record in faults if not category_is_right(record, judged.ran.err)]
    gaps = [
        asked[1]["t"] - (asked[0]["ended"] or asked[0]["t"])
        for asked in judged.asked().values()
        if len(asked) > 1 and asked[0]["fault"] not in ("timeout", "drip", "429")
    ]
    print(f"\n{outcomes}, {len(faults)} faults, back-off {min(gaps):.2f} to {max(gaps):.2f} s")
    assert sum(outcomes.values()) == 500
    assert outcomes["complete"] >= 0.995 * 500
    assert wrong == []
    assert min(gaps) >= 0.9


def test_an_outage_of_half_a_minute(tmp_path: Path) -> None:
    with running_stand_in(templates=200) as stand_in:
        threading.Timer(8.0, stand_in.control, kwargs={"outage": "reset"}).start()
        threading.Timer(38.0, stand_in.control, kwargs={"outage": None}).start()

        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=20, CIRCUIT_BREAKER_HOLD=8)

    lost = [record for record in judged.log if record["status"] is None]
    gaps = [later["t"] - earlier["t"] for earlier, later in pairwise(lost[9:])]
    print(f"\n{judged.outcomes()}; {len(lost)} requests met the outage, probes after {gaps}")
    assert judged.ran.status == 0
    assert judged.outcomes() == {"complete": 200}
    assert all(gap >= 8 for gap in gaps)
    assert len(lost) <= 10 + 3


def test_the_numbers_of_a_run_are_told_in_its_stats(tmp_path: Path) -> None:
    with running_stand_in(templates=20) as stand_in:
        judged = crawl_judged(
            stand_in, tmp_path, "-s", "STATS_DUMP=1", RATE_LIMIT_RATE=20, LOG_LEVEL="INFO"
        )

    found = {
        line.split("'")[1]: json.loads(line.split(": ")[1].rstrip("},"))
        for line in judged.ran.err.splitlines()
        if "'rate_limit/" in line
    }
    assert found["rate_limit/127.0.0.1/requests"] == len(judged.log)
    assert found["rate_limit/127.0.0.1/waits"] > 0
