"""The pages and the API on a port of this machine, in a thread of the test's own process."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import requests
from aiohttp import web

from n8n_scraper.serve.application import make_application
from n8n_scraper.serve.archive import Archive
from n8n_scraper.serve.options import ServeOptions
from n8n_scraper.serve.running import LONGEST_ADDRESS

TOKEN = "a token that is hard to guess"
LOOPBACK = ServeOptions(
    host="127.0.0.1",
    port=0,
    token="",
    names=(),
    origins=frozenset(),
    look_seconds=5,
    item_attempts=2,
    database_url="",
)
WITH_TOKEN = replace(LOOPBACK, token=TOKEN)
TO_OTHERS = replace(WITH_TOKEN, host="0.0.0.0")  # noqa: S104 - of that only the rule is tried
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@dataclass
class Served:
    """An application that answers at an address, and a client that keeps cookies."""

    url: str
    client: requests.Session = field(default_factory=requests.Session)

    def ask(self, method: str, path: str, **more: object) -> requests.Response:
        """Ask, and follow nothing."""
        return self.client.request(
            method,
            self.url + path,
            allow_redirects=False,
            timeout=20,
            **more,  # type: ignore[arg-type]
        )

    def get(self, path: str, **headers: str) -> requests.Response:
        """Read, with these headers."""
        return self.ask(
            "GET", path, headers={name.replace("_", "-"): headers[name] for name in headers}
        )


@contextmanager
def served(database_url: str, options: ServeOptions = LOOPBACK) -> Iterator[Served]:
    """Answer for as long as the block lasts; whatever the options say, only at 127.0.0.1."""
    options = replace(options, database_url=database_url)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    runner, url = asyncio.run_coroutine_threadsafe(_start(options), loop).result(20)
    try:
        with requests.Session() as client:
            yield Served(url, client)
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _start(options: ServeOptions) -> tuple[web.AppRunner, str]:
    archive = Archive(options.database_url, look_seconds=options.look_seconds)
    runner = web.AppRunner(
        make_application(archive, options),
        access_log=None,
        shutdown_timeout=0.5,
        max_line_size=LONGEST_ADDRESS,
    )
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    return runner, f"http://{host}:{port}"
