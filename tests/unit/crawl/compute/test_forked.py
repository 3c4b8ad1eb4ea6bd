"""A process that computes, forked before the crawl begins: real ones, in programs of their own."""

import subprocess
import sys
import textwrap

import pytest

from tests.crawling import PROJECT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there is a fork safe")


def said(program: str) -> list[str]:
    """Give the words that a program prints; it begins with a forked process at hand."""
    beginning = """
        import asyncio, os, signal, sys, threading, time
        from n8n_scraper.crawl.compute.pool import Compute, ComputeLost
        def is_there(pid):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return False
            return True
        kept = open(os.devnull)
        compute = Compute(60.0)
        compute.fork()
        (child, _) = compute._forked
        """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(beginning) + textwrap.dedent(program)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_it_does_the_first_small_thing_already_and_ends_with_the_crawl() -> None:
    assert said("""
        async def crawl():
            pids = {await compute.run(0, os.getpid) for _ in range(3)}
            await compute.close()
            print(pids == {child.pid}, is_there(child.pid))
        asyncio.run(crawl())
    """) == ["True", "False"]


def test_it_ends_as_well_where_there_was_nothing_to_do() -> None:
    assert said("""
        asyncio.run(compute.close())
        print(is_there(child.pid), child.returncode is None)
    """) == ["False", "False"]


def test_it_holds_nothing_of_the_crawls_open() -> None:
    # Then it has the standard streams, and the folder that it lists
    assert said("""
        async def crawl():
            print(len(await compute.run(0, os.listdir, "/proc/self/fd")))
            print(await compute.run(0, os.readlink, "/proc/self/fd/1"))
            await compute.close()
        asyncio.run(crawl())
    """) == ["4", "/dev/null"]


def test_one_that_dies_costs_one_result_and_is_replaced_by_one_that_is_started() -> None:
    assert said("""
        async def crawl():
            compute.process_after_seconds = 0.0
            try:
                await compute.run(0, signal.raise_signal, signal.SIGKILL)
            except ComputeLost as lost:
                print(str(lost).rpartition(" ")[2])
            print(await compute.run(0, os.getpid) not in (child.pid, os.getpid()))
            await compute.close()
        asyncio.run(crawl())
    """) == ["-9", "True"]


def test_a_stop_by_the_terminal_is_none_of_its_business() -> None:
    assert said("""
        async def crawl():
            await compute.run(0, os.getpid)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                os.kill(child.pid, number)
            print(await compute.run(0, os.getpid) == child.pid)
            print(await compute.run(0, os.getsid, 0) == child.pid)
            await compute.close()
        asyncio.run(crawl())
    """) == ["True", "True"]


def test_it_has_what_was_imported_before_it() -> None:
    assert said("""
        async def crawl():
            has_it = "'n8n_scraper.crawl.compute.pool' in __import__('sys').modules"
            print(await compute.run(0, eval, has_it))
            await compute.close()
        asyncio.run(crawl())
    """) == ["True"]


@pytest.mark.parametrize("why_not", ["there is a thread", "none is wanted"])
def test_none_is_forked_where_that_is_unsafe_or_not_wanted(why_not: str) -> None:
    assert said(f"""
        asyncio.run(compute.close())
        if {why_not!r} == "there is a thread":
            threading.Thread(target=time.sleep, args=(1,)).start()
            other = Compute(60.0)
        else:
            other = Compute(float("inf"))
        other.fork()
        print(other._forked)
    """) == ["None"]
