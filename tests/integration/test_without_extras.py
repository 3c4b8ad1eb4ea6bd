"""Without what only workers, alerts and assistants need, everything else is as it was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawling import PROJECT

pytestmark = [pytest.mark.full_speed, pytest.mark.real_start, pytest.mark.timeout(300)]

NOT_INSTALLED = ("celery", "kombu", "billiard", "redis", "apprise", "mcp")
OF_WORKERS = (
    *("tests/unit/workers", "tests/unit/stack/services"),
    *("tests/unit/ledger/test_redis_pace_store.py", "tests/bench/test_redis_pace.py"),
    *("tests/integration/test_dispatch.py", "tests/integration/test_redis_pace.py"),
    *("tests/integration/test_workers.py", "tests/integration/test_sources_side_by_side.py"),
    "tests/soak/test_dispatch_at_length.py",
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """One in which no process finds these packages, and none that it starts."""
    blocking = f"import sys\nsys.modules.update(dict.fromkeys({NOT_INSTALLED}))\n"
    (tmp_path / "sitecustomize.py").write_text(blocking)
    told = {"PYTHONPATH": f"{tmp_path}:{PROJECT}", "CELERY_BROKER_URL": "", "REDIS_URL": ""}
    return {**os.environ, **told, "DATABASE_URL": f"sqlite:///{tmp_path}/a.db"}


def python(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.further
def test_the_demo_runs(environment: dict[str, str]) -> None:
    ran = python(environment, "scrapy", "demo", "--templates", "3")

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 of 3 templates" in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("words", "url"),
    [
        (("dispatch", "workflows"), ""),
        (("stack", "up"), ""),
        (("crawl", "workflows"), "redis://127.0.0.1:9"),
    ],
)
def test_what_needs_them_says_in_one_line_how_to_get_them(
    environment: dict[str, str], words: tuple[str, ...], url: str
) -> None:
    ran = python({**environment, "REDIS_URL": url}, "scrapy", *words)

    assert (ran.returncode, ran.stdout) == (2, "")
    [line] = ran.stderr.splitlines()
    assert line.endswith(" not installed: pip install -r requirements-workers.txt")


@pytest.mark.further
def test_the_tests_of_workers_pass_or_are_skipped(environment: dict[str, str]) -> None:
    ran = python(
        environment,
        *("pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("-m", "long or not long", *OF_WORKERS),
    )

    assert ran.returncode == 0, ran.stdout
    assert "could not import 'celery'" in ran.stdout
    assert "could not import 'redis'" in ran.stdout
