"""Every operation keeps to its own description, whatever it is asked."""

from pathlib import Path

import pytest

from tests.fuzz.fuzzing_the_api import fuzz

pytestmark = pytest.mark.full_speed


@pytest.mark.parametrize(
    ("phase", "least"), [("fuzzing", 30), pytest.param("coverage", 500, marks=pytest.mark.further)]
)
def test_a_share_of_all_cases_finds_nothing(tmp_path: Path, phase: str, least: int) -> None:
    share = ("--phases", phase, "--max-examples", "1", "--generation-deterministic")

    cases, said = fuzz(tmp_path, *share, known=False)

    assert cases > least, said


@pytest.mark.long
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("known", [True, False])
def test_all_phases_at_length_find_nothing(tmp_path: Path, known: bool) -> None:
    cases, said = fuzz(tmp_path, "--max-examples", "150", known=known)

    print(f"schemathesis: {cases} cases over all operations, known={known}, and no failure")
    assert cases > 1_500, said
