"""The kill gate with the number turned up: `make soak`."""

import os
from pathlib import Path

import pytest

from n8n_scraper.testing.stand_in import running_stand_in
from tests.killing import judge, survive

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
