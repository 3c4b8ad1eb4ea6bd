import signal
import socket
import subprocess
import sys
import threading
import time

import psutil
import pytest

from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.testing.stand_in import StandInError, running_stand_in
from tests.crawling import Ran
from tests.crawling import child as started
from tests.replica.client import detail, get, raw

MODULE = (sys.executable, "-m", "n8n_scraper.sources.n8n.replica")
SCRAPY = (sys.executable, "-m", "scrapy", "replica")


def run(*arguments, command=MODULE):
    with started([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        out, err = child.communicate(timeout=30)
        return Ran(child.returncode, out, err)


def run_code(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False
    )


@pytest.mark.parametrize("command", [MODULE, SCRAPY], ids=["module", "scrapy"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_tells_where_it_answers_and_ends_quietly(command, number):
    with started(
        [*command, "--port", "0", "--templates", "12", "--seed", "3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        first = child.stdout.readline()
        url = first.split("answers at ")[1].split("/ (")[0]
        assert first == (
            f"The stand-in of n8n.io answers at {url}/ (12 templates, seed 3)."
            " Stop it with Ctrl-C.\n"
        )
        assert get(url, detail(1)).status == 200

        child.send_signal(number)

        assert child.communicate(timeout=10) == ("", "")
        assert child.returncode == 0


def test_a_hanging_answer_does_not_delay_the_end():
    with running_stand_in(5, faults=[{"kind": "timeout"}]) as replica:
        asking = threading.Thread(target=lambda: raw(replica.url, detail(1), timeout=20))
        asking.start()
        while not replica.stats()["open"]:
            time.sleep(0.01)
        started = time.monotonic()

    asking.join(5)
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("command", [MODULE, SCRAPY], ids=["module", "scrapy"])
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--port", "eighty"), "--port must be a whole number from 0 to 65535, not 'eighty'"),
        (("--port", "70000"), "--port must be a whole number from 0 to 65535, not '70000'"),
        (("--templates", "0"), "--templates must be a whole number from 1, not '0'"),
        (("--fault", "503"), "--fault '503' is not of the form KIND=SHARE[:TIMES][@REGEX]"),
        (("--fault", "503=2"), "faults.0.share: Input should be less than or equal to 1, not '2'"),
        (("--latency-ms", "x"), "latency_ms: Input should be a valid number"),
    ],
)
def test_a_bad_argument_is_one_line_and_exit_2(command, arguments, complaint):
    ended = run(*arguments, command=command)

    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert complaint in ended.err


def test_a_port_in_use_is_one_line_and_exit_2():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])

        ended = run("--port", port)

    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"replica: cannot listen on 127.0.0.1:{port}: ")
    assert ended.err.count("\n") == 1


def test_the_module_does_without_scrapy():
    code = "import sys, n8n_scraper.sources.n8n.replica.__main__; sys.exit('scrapy' in sys.modules)"

    assert run_code(code).returncode == 0


def test_it_is_ready_within_a_second():
    started = time.perf_counter()
    with running_stand_in() as replica:
        ready_s = time.perf_counter() - started
        assert len(replica.ids) == 200

    print(f"ready after {ready_s:.2f} s")
    assert ready_s < 3  # 0.3 s on an idle machine


def test_switches_can_be_given_at_the_start():
    with running_stand_in(10, seed=5, latency_ms=1, changes=Changes(added=2)) as replica:
        assert replica.control()["latency_ms"] == 1
        assert len(replica.ids) == 12
        served = get(replica.url, detail(replica.ids[-1])).json["workflow"]["workflow"]
        assert served == replica.truth(replica.ids[-1]).workflow


def test_changes_can_come_amid_a_run(replica):
    old_path = replica.truth(13).path
    replica.control(changes=Changes({2: 1}, 3, frozenset({5}), {13: "A brand new title"}))

    assert len(replica.ids) == 202
    assert get(replica.url, detail(5)).status == 404
    assert get(replica.url, old_path).status == 404
    assert get(replica.url, "/workflows/13-a-brand-new-title/").status == 200
    edited = get(replica.url, detail(2)).json["workflow"]
    assert edited["description"] == replica.truth(2).description
    assert "Revision 1" in edited["description"]


def test_a_stand_in_that_cannot_start_says_why():
    with (
        pytest.raises(StandInError, match="--templates must be a whole number"),
        running_stand_in(templates=-1),
    ):
        pass


def test_it_does_not_outlive_its_parent():
    code = (
        "import os, psutil\n"
        "from n8n_scraper.testing.stand_in import running_stand_in\n"
        "with running_stand_in(5):\n"
        "    print(psutil.Process().children()[0].pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    ended = run_code(code)
    orphan = int(ended.stdout)

    deadline = time.monotonic() + 5
    while psutil.pid_exists(orphan) and psutil.Process(orphan).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_it_leaves_no_process_behind():
    before = set(psutil.Process().children())

    with running_stand_in(5):
        (child,) = set(psutil.Process().children()) - before

    assert not child.is_running()
