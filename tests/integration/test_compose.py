"""What compose.yaml runs, run here: its commands, and the questions that ask for their health."""

import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from n8n_scraper.testing.redis import OwnRedis
from tests.crawling import PROJECT, child, wait_until
from tests.documents.deploying import SERVICES

pytest.importorskip("celery")
pytestmark = pytest.mark.full_speed


@pytest.fixture
def environment(redis: OwnRedis, postgres_url: str, tmp_path: Path) -> dict[str, str]:
    """What a container of ours would be told, with the addresses of this machine."""
    (tmp_path / "data").mkdir()
    for name in ("n8n_scraper", "scrapy.cfg"):
        (tmp_path / name).symlink_to(PROJECT / name)
    told = dict.fromkeys(SERVICES["worker"]["environment"], "")
    told |= {"DATABASE_URL": postgres_url, "REDIS_URL": redis.url, "CELERY_BROKER_URL": ""}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, **told, "PATH": path, "HOSTNAME": socket.gethostname()}


@pytest.mark.further
def test_the_tables_are_made_and_worker_and_beat_get_healthy(
    environment: dict[str, str], tmp_path: Path
) -> None:
    made = subprocess.run(SERVICES["tables"]["command"], cwd=tmp_path, env=environment, check=False)
    with (
        (tmp_path / "log").open("w") as log,
        child(SERVICES["worker"]["command"], cwd=tmp_path, env=environment, stdout=log, stderr=log),
        child(SERVICES["beat"]["command"], cwd=tmp_path, env=environment, stdout=log, stderr=log),
    ):
        wait_until(lambda: " ready." in (tmp_path / "log").read_text(), 60)
        wait_until(lambda: "beat: Starting" in (tmp_path / "log").read_text(), 60)
        wait_until(lambda: is_healthy("worker", environment, tmp_path), 60)
        wait_until(lambda: is_healthy("beat", environment, tmp_path), 60)

    assert made.returncode == 0


def is_healthy(name: str, environment: dict[str, str], folder: Path) -> bool:
    """Ask as Docker would."""
    kind, question = SERVICES[name]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert shlex.split(question)[0] == "celery"
    ran = subprocess.run(
        ["/bin/sh", "-c", question.replace("$$", "$")],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    return ran.returncode == 0
