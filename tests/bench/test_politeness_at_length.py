"""What the documentation promises of the pace, measured at the site over whole crawls."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from n8n_scraper.testing.stand_in import running_stand_in
from tests.politeness import (
    TRANSIENT,
    WITH_MOMENTS,
    Judged,
    category_is_right,
    crawl_judged,
    templates_with_faults,
    warm_up,
)
from tests.server_side import achieved, overdraft, statuses

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
        lean = ("-a", "chain=lean", *WITH_MOMENTS)
        judged = crawl_judged(stand_in, tmp_path, *lean, RATE_LIMIT_RATE=50)

    served = statuses(judged.log)
    seconds = judged.log[-1]["t"] - judged.log[0]["t"]
    ideal = (served[200] - 5) / 5
    print(f"\n{served}, {seconds:.1f} s, {seconds / ideal:.2f} times the ideal")
    assert judged.outcomes() == {"complete": 100}
    assert judged.inside_windows(2.0) == 0
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
    # Given a site that is gone for ten failures, a witness, and the probes of eight and sixteen s
    outage = {"kind": "reset", "path": "/workflows/", "after": 150, "in_all": 13}
    with running_stand_in(templates=200, faults=[outage]) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=20, CIRCUIT_BREAKER_HOLD=8)

    lost = [record for record in judged.log if record["fault"]]
    gaps = [later["t"] - earlier["t"] for earlier, later in pairwise(lost[9:])]
    print(f"\n{judged.outcomes()}; {len(lost)} requests met the outage, probes after {gaps}")
    assert judged.ran.status == 0
    assert judged.outcomes() == {"complete": 200}
    assert max(gaps) >= 8


def test_one_path_in_twenty_that_always_answers_500_at_no_limit(tmp_path: Path) -> None:
    rule = {"kind": "500", "share": 0.05, "path": "/workflows/"}
    with running_stand_in(templates=500, faults=[rule]) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, seconds=300)

    ends_with_all_that_could_be_had(judged, 500)


def test_three_in_twenty_paths_with_lasting_faults_of_every_kind_at_twenty_a_second(
    tmp_path: Path,
) -> None:
    kinds = [*TRANSIENT, "bad_gzip", "captcha", "soft_404", "401", "403", "410"]
    rule = {"kinds": kinds, "share": 0.15, "path": "/workflows/"}
    with running_stand_in(templates=100, faults=[rule], drip_s=0.5) as stand_in:
        judged = crawl_judged(
            stand_in, tmp_path, "-s", "DOWNLOAD_TIMEOUT=5", RATE_LIMIT_RATE=20, seconds=500
        )

    ends_with_all_that_could_be_had(judged, 100)


def test_one_template_always_refused_and_nine_that_always_fail_among_sixty(tmp_path: Path) -> None:
    with running_stand_in(templates=60, retry_after="1") as stand_in:
        refused, *failing = stand_in.ids[5:15]
        rules = [{"kind": "429", "path": f"/{refused}(-|/|$)"}]
        rules += [{"kind": "500", "path": f"/{number}(-|/|$)"} for number in failing]
        stand_in.control(faults=rules)
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=20, seconds=300)

    ends_with_all_that_could_be_had(judged, 60)
    assert judged.outcomes() == {"complete": 50, "failed": 10}


def ends_with_all_that_could_be_had(judged: Judged, templates: int) -> None:
    """Every template that no fault lasted for is complete, and the site was never left alone."""
    seconds = judged.log[-1]["t"] - judged.log[0]["t"]
    harmed = templates_with_faults(judged)
    print(f"\n{judged.outcomes()}, {len(judged.log)} requests in {seconds:.0f} s")
    assert judged.ran.status == 3, judged.ran.err
    assert "is left alone for" not in judged.ran.err
    assert sum(judged.outcomes().values()) == templates
    assert judged.outcomes()["complete"] == templates - len(harmed)


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
