"""Every operation keeps to its own description, whatever it is asked."""

from pathlib import Path

import pytest

from tests.fuzz.fuzzing_the_api import fuzz

pytestmark = pytest.mark.full_speed


def test_a_share_of_all_cases_finds_nothing(tmp_path: Path) -> None:
    cases, said = fuzz(
        tmp_path,
        *("--phases", "coverage,fuzzing", "--max-examples", "1", "--generation-deterministic"),
        known=False,
    )

    assert cases > 500, said


@pytest.mark.long
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("known", [True, False])
def test_all_phases_at_length_find_nothing(tmp_path: Path, known: bool) -> None:
    cases, said = fuzz(tmp_path, "--max-examples", "150", known=known)

    print(f"schemathesis: {cases} cases over all operations, known={known}, and no failure")
    assert cases > 1_500, said
