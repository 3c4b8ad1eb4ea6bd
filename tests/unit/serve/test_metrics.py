"""What Prometheus is told at `/metrics`, over real HTTP."""

from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.testing.postgres import free_port
from tests.serving import BEARER, LOOPBACK, WITH_TOKEN, served
from tests.unit.ledger.given import a_run, close, noted


def test_it_is_told_how_the_newest_run_and_the_domains_stand(
    database: Database, database_url: str
) -> None:
    run_id = a_run(database, "1", "2")
    close(database, run_id, "1", Outcome.FAILED, category="timeout")
    noted(database, {"n8n.io": DomainState(noted_at=1.0)})

    with served(database_url) as server:
        answer = server.get("/metrics")

    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert f'n8n_scraper_live_run_info{{run_id="{run_id}",source="n8n"}} 1.0' in lines
    assert 'n8n_scraper_run_items_failed{category="timeout",source="n8n"} 1.0' in lines
    assert 'n8n_scraper_domain_circuit{circuit="closed",domain="n8n.io"} 1.0' in lines


def test_before_the_first_crawl_there_is_nothing_to_tell_but_the_process(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/none.db") as server:
        answer = server.get("/metrics")

    assert answer.status_code == 200
    assert "process_resident_memory_bytes " in answer.text
    assert "n8n_scraper_" not in answer.text
    assert not (tmp_path / "none.db").exists()


def test_while_redis_is_away_nothing_is_told_of_domains(
    database: Database, database_url: str
) -> None:
    pytest.importorskip("redis")
    a_run(database, "1")
    noted(database, {"n8n.io": DomainState(noted_at=1.0)})
    away = RedisAddress.parse(f"redis://127.0.0.1:{free_port()}/0", "REDIS_URL")

    with served(database_url, replace(LOOPBACK, redis=away)) as server:
        answer = server.get("/metrics")

    assert "n8n_scraper_run_items_left" in answer.text
    assert "n8n_scraper_domain" not in answer.text


def test_where_a_token_is_needed_it_is_needed_here(database: Database, database_url: str) -> None:
    a_run(database, "1")
    to_others = replace(WITH_TOKEN, host="0.0.0.0")  # noqa: S104 - of that only the rule is tried

    with served(database_url, to_others) as server:
        assert server.get("/metrics").status_code in (401, 303)
        assert server.get("/metrics", **BEARER).status_code == 200
