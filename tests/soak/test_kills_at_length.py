"""The kill gate with the number turned up: `make soak`."""

import os
from pathlib import Path

import pytest

from n8n_scraper.testing.stand_in import running_stand_in
from tests.killing import judge, judge_what_is_left, repeated, survive
from tests.sharing import crew, decimate, last_words

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

KILLS = int(os.environ.get("KILLS", "200"))


def test_a_crawl_killed_hundreds_of_times(database_url: str, tmp_path: Path) -> None:
    with running_stand_in(templates=120, latency_ms=40) as stand_in:
        survived = survive(
            stand_in, database_url, tmp_path, kills=KILLS, most_requests=4, seed=KILLS
        )

        print(
            f"\n{survived.landed} of {survived.kills} kills landed in mid-crawl, "
            f"{survived.repeated()} requests repeated, "
            f"slowest start {max(survived.delays):.2f} s"
        )
        judge(survived, stand_in, database_url)


def test_four_processes_of_which_one_is_killed_hundreds_of_times(
    database_url: str,
) -> None:
    in_flight = 2  # one request an item at a time, kept before the next one leaves
    with (
        running_stand_in(templates=KILLS * 5, latency_ms=150) as stand_in,
        crew(stand_in, database_url, ITEMS_UNDER_WAY=str(in_flight)) as four,
    ):
        landed = decimate(four, size=4, kills=KILLS, most_requests=20, seed=KILLS)
        ends = four.ends(seconds=600)

        print(
            f"\n{landed} of {KILLS} kills landed on one of four, "
            f"{repeated(stand_in.log())} requests repeated"
        )
        assert [status for status, _ in ends] == [0] * 4, ends
        assert len({tuple(last_words(said)) for _, said in ends}) == 1
        judge_what_is_left(stand_in, database_url)
        assert landed >= 0.8 * KILLS
        assert repeated(stand_in.log()) <= landed * in_flight
