import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.rounds.result import status_of_round
from n8n_scraper.rounds.site_crawl import Came, Outcome


def ended(*given: tuple[Came, int | None], was_ended: bool = False) -> ExitStatus:
    found = [Outcome(f"s{n}", came, status=status) for n, (came, status) in enumerate(given)]
    return status_of_round(found, was_ended=was_ended)


GOOD = (Came.GOOD, 0)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ([], ExitStatus.DONE),
        ([GOOD, (Came.LEFT_OUT, None)], ExitStatus.DONE),
        ([GOOD, (Came.FAILED, 7)], ExitStatus.NO_INVENTORY),
        ([GOOD, (Came.FAILED, 0)], ExitStatus.FAILURES),  # it brought too little
        ([GOOD, (Came.PARTLY, 3)], ExitStatus.FAILURES),
        ([(Came.FAILED, -9)], ExitStatus.BROKEN),
        ([(Came.RESTS, None)], ExitStatus.SITE_DOWN),
        ([(Came.REFUSED, 2), GOOD], ExitStatus.BAD_INPUT),
        ([(Came.STOPPED, 4)], ExitStatus.WORK_LEFT),
        ([(Came.FAILED, 7), (Came.FAILED, 5)], ExitStatus.FAILURES),
        ([(Came.FAILED, 7), (Came.FAILED, 6)], ExitStatus.STORE_LOST),
    ],
)
def test_a_round_has_the_status_of_what_went_wrong(given, status):
    assert ended(*given) == status


def test_a_round_that_was_asked_to_end_has_work_left():
    assert ended(GOOD, (Came.FAILED, 7), was_ended=True) == ExitStatus.WORK_LEFT
