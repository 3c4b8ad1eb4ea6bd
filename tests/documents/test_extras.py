"""What is not installed, and how to install it."""

import sys
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.extras import ALERTS, EXTRAS, WORKERS, Extra

ROOT = Path(__file__).parents[2]
COMMAND = "pip install -r requirements-workers.txt"


@pytest.mark.parametrize(
    ("blocked", "said"),
    [
        (["celery"], f"Celery is not installed: {COMMAND}"),
        (["redis"], f"redis-py is not installed: {COMMAND}"),
        (["celery", "redis"], f"Celery and redis-py are not installed: {COMMAND}"),
    ],
)
def test_what_is_missing_is_told_with_the_command_that_installs_it(
    blocked: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in WORKERS.packages:
        monkeypatch.setitem(sys.modules, name, None if name in blocked else sys)

    assert WORKERS.missing() == said


def test_a_setting_that_needs_what_is_missing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)

    with pytest.raises(BadInput, match="ALERT_URLS needs Apprise, which is not installed: pip"):
        ALERTS.require("apprise", "ALERT_URLS")


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra.file)
def test_the_file_that_the_command_names_has_all_of_them_and_no_other_file_has(
    extra: Extra,
) -> None:
    lines = (ROOT / extra.file).read_text().splitlines()

    assert [line.partition("==")[0] for line in lines if "==" in line] == list(extra.packages)
    assert not any(
        f"{name}==" in (ROOT / "requirements.txt").read_text() for name in extra.packages
    )
