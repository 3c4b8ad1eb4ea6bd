"""An answer that is too large for now waits until there is room, or until the crawl is stopped."""

import asyncio
from collections.abc import Awaitable

import pytest
from scrapy import Request
from scrapy.http import Response

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.middlewares.work_in_hand import MOST_BYTES, WorkInHandMiddleware

LARGE = b"x" * (MOST_BYTES // 2 + 1)


def answer(
    middleware: WorkInHandMiddleware, workflow_id: str, body: bytes
) -> Response | Awaitable[Response]:
    dossier = Dossier(Planned(workflow_id), started=0.0)
    request = Request("http://n8n.example/", cb_kwargs={"dossier": dossier})
    return middleware.process_response(request, Response(request.url, body=body))


@pytest.fixture
def middleware() -> WorkInHandMiddleware:
    return WorkInHandMiddleware(most_waiting=2, stopping=lambda: False)


def test_small_answers_pass_at_once(middleware: WorkInHandMiddleware) -> None:
    for number in range(100):
        assert isinstance(answer(middleware, str(number), b"{}"), Response)


def test_an_answer_that_is_nobodys_passes_at_once(middleware: WorkInHandMiddleware) -> None:
    request = Request("http://n8n.example/sitemap_index.xml")
    response = Response(request.url, body=LARGE * 4)

    assert middleware.process_response(request, response) is response


def test_a_second_large_answer_waits_for_the_end_of_the_first(
    middleware: WorkInHandMiddleware,
) -> None:
    async def given_two_large_ones() -> Response:
        assert isinstance(answer(middleware, "1", LARGE), Response)
        second = asyncio.ensure_future(_waiting(answer(middleware, "2", LARGE)))
        await asyncio.sleep(0)
        assert not second.done()
        middleware.item_ended("1")
        return await second

    assert asyncio.run(given_two_large_ones()).body == LARGE


def test_a_stop_ends_the_wait() -> None:
    middleware = WorkInHandMiddleware(most_waiting=2, stopping=lambda: True)

    async def given_two_large_ones() -> Response:
        answer(middleware, "1", LARGE)
        return await _waiting(answer(middleware, "2", LARGE))

    assert asyncio.run(given_two_large_ones()).body == LARGE


def test_no_more_wait_than_may(middleware: WorkInHandMiddleware) -> None:
    async def given_many_large_ones() -> list[bool]:
        answers = [answer(middleware, "1", LARGE)]
        waiting = []
        for number in range(2, 6):
            one = answer(middleware, str(number), LARGE)
            if not isinstance(one, Response):
                waiting.append(asyncio.ensure_future(_waiting(one)))
                await asyncio.sleep(0)
            answers.append(one)
        for task in waiting:
            task.cancel()
        return [isinstance(one, Response) for one in answers]

    assert asyncio.run(given_many_large_ones()) == [True, False, False, True, True]


async def _waiting(one: Response | Awaitable[Response]) -> Response:
    assert not isinstance(one, Response)
    return await one
