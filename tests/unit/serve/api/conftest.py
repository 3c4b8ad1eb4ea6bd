"""The API over an archive that several tests share."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from n8n_scraper.ledger.database import Database
from tests.serving import BEARER, WITH_TOKEN, Served, served

SITE = "https://n8n.io"
HOST = "n8n.io"


@dataclass
class Api:
    """A program that knows the token."""

    server: Served
    database: Database

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Ask, and give status and content."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        more = {} if body is None else {"json": body}
        answer = self.server.ask(method, f"/api/{path}", headers={**BEARER, **named}, **more)
        return answer.status_code, answer.json()

    def get(self, path: str) -> Any:
        """Read what is there."""
        status, content = self.ask("GET", path)
        assert status == 200, content
        return content

    def create(self, *items: str, **more: object) -> Any:
        """Create a run with these templates."""
        body = {"domain": HOST, "items": [{"url": url_of(one)} for one in items], **more}
        status, run = self.ask("POST", "scrape-runs", body)
        assert status == 201, run
        return run

    def report(self, run: Any, item: str, **changes: object) -> Any:
        """Say what has become of an item; give the status and what was answered."""
        update = {"url": url_of(item), "changes": changes}
        return self.ask("PATCH", f"scrape-runs/{run['_id']}", {"updateItem": update})

    def finalise(self, run: Any, **body: object) -> Any:
        """Say that a run is over."""
        return self.ask("PATCH", f"scrape-runs/{run['_id']}", body or {"finalize": True})


def url_of(item: str) -> str:
    """The address of a template."""
    return f"{SITE}/workflows/{item}-a-name/"


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API over an empty archive; each test has runs of its own."""
    url = f"sqlite:///{tmp_path_factory.mktemp('api')}/archive.db"
    database = Database(url)
    database.open()
    with served(url, replace(WITH_TOKEN, told={"N8N_SITE_URL": SITE})) as server:
        yield Api(server, database)
    database.close()
