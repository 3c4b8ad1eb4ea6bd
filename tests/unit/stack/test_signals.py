"""Signals that end a block as exceptions do."""

import os
import signal
from threading import Thread

import pytest

from n8n_scraper.stack.signals import as_exceptions, held_off


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_block_and_names_itself_in_the_status(number: signal.Signals) -> None:
    with pytest.raises(SystemExit) as left, as_exceptions():
        os.kill(os.getpid(), number)

    assert left.value.code == 128 + number


def test_a_handler_that_is_there_already_stays() -> None:
    heard = []
    before = signal.signal(signal.SIGHUP, lambda *_: heard.append(1))
    try:
        with as_exceptions():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)

    assert heard == [1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_what_is_held_off_breaks_nothing_off(number: signal.Signals) -> None:
    before = signal.getsignal(number)

    with held_off():
        os.kill(os.getpid(), number)

    assert signal.getsignal(number) == before


def test_in_another_thread_signals_are_left_to_the_main_one() -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def look() -> None:
        with as_exceptions():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = Thread(target=look)
    thread.start()
    thread.join()

    assert seen == [before]
