"""Serves a stand-in: keeps the journal, enforces the pace, fails as told, answers."""

import asyncio
import random
import time
from typing import Any

from aiohttp.web import BaseRequest, Response, Server, StreamResponse

from n8n_scraper.testing.replica.answer import Answer
from n8n_scraper.testing.replica.control import answer_control
from n8n_scraper.testing.replica.faults import FaultPlan
from n8n_scraper.testing.replica.journal import Journal, Record
from n8n_scraper.testing.replica.lateness import Lateness
from n8n_scraper.testing.replica.limiter import TokenBucket, penalty_seconds
from n8n_scraper.testing.replica.misbehaviour import crippled, fail_on_the_wire, reset, too_many
from n8n_scraper.testing.replica.script import Script
from n8n_scraper.testing.replica.switches import Switches

CONTROL_PREFIX = "/__"

_SHUTDOWN_S = 0.1
_ON_THE_WIRE = frozenset({"timeout", "reset", "truncated", "drip"})


class StandIn:
    """The site of a source: a request comes in, the answer of that day goes out."""

    def __init__(
        self,
        script: Script[Any],
        size: int | None = None,
        seed: int | None = None,
        switches: Switches | None = None,
    ) -> None:
        self.script = script
        self.journal = Journal(script.kinds)
        self.size = script.size if size is None else size
        self.seed = script.seed if seed is None else seed
        self.turn(switches or script.switches())

    def turn(self, switches: Switches) -> None:
        """Put other switches into force; what has not changed keeps its memory."""
        old = getattr(self, "switches", None)
        self.switches = switches
        if old is None or _changes(old) != _changes(switches):
            self.stock = self.script.stock(self.size, self.seed, switches)
        self.site = self.script.site(self.stock, switches)
        if old is None or old.faults != switches.faults:
            self.plan = FaultPlan(switches.faults, self.seed)
        pace = (switches.enforce_rate, switches.enforce_burst)
        if old is None or pace != (old.enforce_rate, old.enforce_burst):
            self.bucket = TokenBucket(switches.enforce_rate or 1, switches.enforce_burst)

    def forget(self) -> None:
        """Clear the journal, and let healed paths fail anew."""
        self.journal.clear()
        self.plan.forget()

    async def respond(
        self, request: BaseRequest, arrived: float, late: float = 0.0
    ) -> StreamResponse:
        """Note the request, answer it, and note how that ended."""
        headers = request.headers
        record = self.journal.open(
            arrived,
            headers.get("Host", ""),
            request.method,
            request.raw_path,
            headers.get("User-Agent", ""),
            late,
        )
        try:
            return await self._respond(request, record)
        finally:
            record.ended = time.monotonic()

    async def _respond(self, request: BaseRequest, record: Record) -> StreamResponse:
        if self.switches.outage in ("reset", "refuse"):
            record.fault = "outage"
            reset(request)
            return Response()
        refusal = self._refusal(record)
        if refusal is None:
            record.fault = self.plan.fault_for(record.path)
        await self._wait()
        answer = refusal or self._answer(record)
        if record.fault in _ON_THE_WIRE:
            return await self._fail(request, record, answer)
        return await self._send(request, record, answer)

    def _refusal(self, record: Record) -> Answer | None:
        url = f"http://{record.host}{record.path}"
        switches = self.switches
        if not record.user_agent:
            return self.site.error(403, url, "Forbidden")
        if switches.outage == "503":
            record.fault = "outage"
            return crippled("503", Answer(), self.site, url, None)
        if switches.enforce_rate and not self.bucket.allows():
            if switches.penalise:
                self.bucket.close_for(penalty_seconds(switches.retry_after))
            return too_many(self.site, switches.retry_after_status, url, switches.retry_after)
        return None

    def _answer(self, record: Record) -> Answer:
        site_url = f"http://{record.host}"
        target = record.path
        if record.fault == "wrong_id":
            target = self.site.elsewhere(target)
        answer = self.site.answer(site_url, target)
        if record.fault is None or record.fault in _ON_THE_WIRE:
            return answer
        retry_after = self.switches.retry_after
        url = site_url + target
        return crippled(record.fault, answer, self.site, url, retry_after) or answer

    async def _wait(self) -> None:
        switches = self.switches
        if switches.latency_ms or switches.latency_jitter_ms:
            jitter_ms = random.uniform(0, switches.latency_jitter_ms)  # noqa: S311 - no secret
            await asyncio.sleep((switches.latency_ms + jitter_ms) / 1000)

    async def _send(self, request: BaseRequest, record: Record, answer: Answer) -> StreamResponse:
        response = Response(
            body=answer.body, status=answer.status, headers=self._headers(record, answer)
        )
        record.status = answer.status
        await response.prepare(request)
        await response.write_eof()
        record.bytes = 0 if request.method == "HEAD" else len(answer.body)
        return response

    async def _fail(self, request: BaseRequest, record: Record, answer: Answer) -> StreamResponse:
        response = StreamResponse(status=answer.status, headers=self._headers(record, answer))
        response.force_close()
        kind = str(record.fault)
        pause_s = self.switches.drip_s if kind == "drip" else self.switches.hang_s
        record.bytes = await fail_on_the_wire(kind, request, response, answer.body, pause_s)
        if response.prepared:
            record.status = answer.status
        return response

    def _headers(self, record: Record, answer: Answer) -> dict[str, Any]:
        shared = {"Content-Type": answer.content_type, **self.site.headers(record.seq)}
        return shared | dict(answer.headers)


class StandInServer:
    """The stand-in on its port, with its controls on a second one that no outage reaches."""

    def __init__(self, stand_in: StandIn, host: str, port: int) -> None:
        self.stand_in = stand_in
        self._host = host
        self._port = port
        # Hanging answers end when their client goes away.
        self._protocol: Server = Server(self._handle, handler_cancellation=True)
        self._listener: asyncio.Server | None = None
        self._controls: asyncio.Server | None = None
        self._control_port = 0
        self._lateness = Lateness()
        self._watching: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The address of the site, without a slash at the end."""
        return self._address(self._port)

    @property
    def control_url(self) -> str:
        """The address that is reachable even while the site refuses connections."""
        return self._address(self._control_port)

    async def start(self) -> None:
        """Listen on both ports; a port of 0 becomes a free one."""
        await self._listen()
        self._controls = await self._open(0)
        self._control_port = _port_of(self._controls)
        self._watching = asyncio.create_task(self._lateness.watch())

    async def stop(self) -> None:
        """Stop listening and end what is still open, hanging answers too."""
        for listener in (self._listener, self._controls):
            if listener is not None:
                listener.close()
        if self._watching is not None:
            self._watching.cancel()
        await self._protocol.shutdown(_SHUTDOWN_S)

    async def turn(self, switches: Switches) -> None:
        """Put other switches into force, closing or opening the port for an outage."""
        self.stand_in.turn(switches)
        if switches.outage == "refuse":
            self._close()
        elif self._listener is None:
            await self._listen()

    def _address(self, port: int) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{port}"

    async def _listen(self) -> None:
        self._listener = await self._open(self._port)
        self._port = _port_of(self._listener)

    async def _open(self, port: int) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        return await loop.create_server(self._protocol, self._host, port, backlog=1024)

    def _close(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    async def _handle(self, request: BaseRequest) -> StreamResponse:
        arrived = time.monotonic()
        if request.raw_path.startswith(CONTROL_PREFIX):
            return await answer_control(self, request)
        return await self.stand_in.respond(request, arrived, self._lateness.at(arrived))


def _port_of(listener: asyncio.Server) -> int:
    port: int = listener.sockets[0].getsockname()[1]
    return port


def _changes(switches: Switches) -> object:
    """How the stock differs from its first state, where a source knows of that."""
    return getattr(switches, "changes", None)
