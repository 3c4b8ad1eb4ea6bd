"""Several processes that compute side by side: real ones, in a program of their own."""

import subprocess
import sys
import textwrap

import pytest

from tests.crawling import PROJECT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

_BEGINNING = """
    import os, signal, sys, threading, time
    from operator import mul, truth
    from n8n_scraper.crawl.compute.pool import ComputeLost
    from n8n_scraper.crawl.compute.processes import Processes, cores
    def is_there(pid):
        try:
            state = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        return state != "Z"  # whose parent has only to take note of its end
    def pids(processes):
        return [one._process.pid for one in processes._all]
"""


def program(text: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(_BEGINNING) + textwrap.dedent(text)]


def said(text: str) -> list[str]:
    """Give the words that a program prints."""
    ran = subprocess.run(
        program(text), cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


@pytest.mark.parametrize("how", ["forked", "started"])
def test_what_comes_of_each_comes_in_the_order_in_which_it_was_given(how: str) -> None:
    # Given that the first takes longest, in processes that are forked or started
    started = "threading.Thread(target=time.sleep, args=(1,)).start()" if how == "started" else ""
    assert said(f"""
        {started}
        with Processes(2) as processes:
            work = "(__import__('time').sleep({{0}}), __import__('os').getpid(), {{1}})[1:]"
            given = [work.format(0.3 if one == 0 else 0, one) for one in range(20)]
            found = list(processes.each(eval, given))
            print([one for _, one in found] == list(range(20)))
            print({{pid for pid, _ in found}} == set(pids(processes)))
            print(os.getpid() in pids(processes))
        print(any(map(is_there, pids(processes))))
    """) == ["True", "True", "False", "False"]


def test_nothing_is_given_out_far_ahead_of_what_is_taken() -> None:
    assert said("""
        taken = []
        def given():
            for one in range(100):
                taken.append(one)
                yield "1"
        with Processes(2) as processes:
            found = processes.each(eval, given())
            next(found)
            print(len(taken) <= 5, 1 + len(list(found)), len(taken))
    """) == ["True", "100", "100"]


def test_what_is_raised_there_is_raised_here_in_its_turn() -> None:
    assert said("""
        with Processes(2) as processes:
            found = processes.each(eval, ["1", "1 / 0", "2"])
            print(next(found))
            try:
                next(found)
            except ZeroDivisionError as error:
                print("raised")
    """) == ["1", "raised"]


def test_one_that_dies_is_told_with_its_status() -> None:
    assert said("""
        with Processes(2) as processes:
            found = processes.each(eval, ["__import__('os').kill(__import__('os').getpid(), 9)"])
            try:
                list(found)
            except ComputeLost as lost:
                print(str(lost).rpartition(" ")[2])
    """) == ["-9"]


def test_the_end_of_one_is_told_in_its_turn_behind_what_the_other_was_at() -> None:
    # Given that the second thing to do kills its process while the first takes its time
    assert said("""
        dies = "__import__('os').kill(__import__('os').getpid(), 9)"
        slow = "__import__('time').sleep(0.5) or 'first'"
        with Processes(2) as processes:
            found = processes.each(eval, [slow, dies, *["'more'"] * 9])
            print(next(found))
            try:
                next(found)
            except ComputeLost:
                print("lost")
    """) == ["first", "lost"]


def test_one_that_is_killed_from_outside_is_told_whatever_it_was_at() -> None:
    # Given large things to do, so that it is killed while it is still being told one
    assert (
        said("""
        for _ in range(20):
            with Processes(2) as processes:
                found = processes.each(len, ("x" * 300_000 for _ in range(10_000)))
                for _ in range(5):
                    next(found)
                os.kill(pids(processes)[0], 9)
                try:
                    list(found)
                except ComputeLost:
                    print("lost")
    """)
        == ["lost"] * 20
    )


def test_nothing_to_do_is_done_at_once_and_there_is_a_core() -> None:
    assert said("""
        with Processes(1) as processes:
            print(list(processes.each(eval, [])), cores() >= 1)
    """) == ["[]", "True"]


def test_they_end_with_the_process_that_has_begun_them() -> None:
    # Given a program that is killed while its processes have something to do
    with subprocess.Popen(
        program("""
            processes = Processes(2)
            print(*pids(processes), flush=True)
            list(processes.each(eval, ["__import__('time').sleep(0.5)"] * 100))
        """),
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    ) as killed:
        pids = killed.stdout.readline().split()
        killed.kill()

    # Then they finish what they have in hand, and are gone
    assert len(pids) == 2
    assert said(f"""
        deadline = time.monotonic() + 20
        while any(map(is_there, {list(map(int, pids))})) and time.monotonic() < deadline:
            time.sleep(0.05)
        print(any(map(is_there, {list(map(int, pids))})))
    """) == ["False"]
