"""How fast the stand-in answers; the client runs in a process of its own."""

import json
import subprocess
import sys

import pytest

CLIENT = """
import asyncio, json, sys, time
import aiohttp

async def main(url, paths):
    left = iter(paths)
    async with aiohttp.ClientSession() as session:
        async def ask():
            for path in left:
                async with session.get(url + path) as answer:
                    assert answer.status == 200
                    await answer.read()
        started = time.perf_counter()
        await asyncio.gather(*(ask() for _ in range(16)))
        print(len(paths) / (time.perf_counter() - started))

asyncio.run(main(*json.load(sys.stdin)))
"""


# Four thousand on two idle cores; the suite runs on busy ones.
@pytest.mark.parametrize(
    ("least", "rounds"), [(100, 1), pytest.param(1_000, 3, marks=pytest.mark.long)]
)
def test_it_answers_so_many_different_requests_a_second(least, rounds, replica):
    truths = [replica.truth(number) for number in replica.ids]
    paths = [f"/api/templates/workflows/{truth.id}" for truth in truths]
    paths += [f"/api/workflows/templates/{truth.id}" for truth in truths]
    paths += [truth.path for truth in truths]

    ended = subprocess.run(
        [sys.executable, "-c", CLIENT],
        input=json.dumps([replica.url, paths * rounds]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    print(f"{float(ended.stdout):.0f} answers a second")
    assert float(ended.stdout) > least
