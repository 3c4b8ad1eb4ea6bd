"""Messages to the outside, in both databases."""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest
from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import Message, NewMessage, Standings
from n8n_scraper.policies.outbox.delivery import TAKEN, Came, Delivery

NOW = 1_000_000.0
LEASE = 60.0
FAILED = Delivery(Came.FAILED, "it broke")
AWAY = Delivery(Came.AWAY, "nobody there")
LATE = Delivery(Came.FAILED, "no answer", in_doubt=True)


def message(key: str, *, topic: str = "", stage: int = 0, says: int = 1, due: bool = True):
    return NewMessage("etl", key, {"says": says}, 100_000.0, topic, stage, is_due=due)


def write(database: Database, *new: NewMessage, now: float = NOW) -> None:
    database.do(lambda session: [outbox.write(session, one, now) for one in new])


def claim(
    database: Database, most: int = 10, holder: str = "one", now: float = NOW
) -> list[Message]:
    return database.do(lambda session: outbox.claim(session, "etl", holder, most, LEASE, now))


def settle(
    database: Database, *told: tuple[Message, Delivery], holder: str = "one", now: float = NOW
) -> None:
    database.do(lambda session: outbox.settle(session, "etl", holder, told, now, lambda: 0.5))


def stands(database: Database, now: float = NOW) -> Standings:
    return database.do(lambda session: outbox.standings(session, "etl", now))


def keys(messages: list[Message]) -> list[str]:
    return [one.key for one in messages]


def test_a_message_is_there_exactly_if_what_it_tells_is(database: Database) -> None:
    def told_of_something_that_fails(session: Session) -> None:
        outbox.write(session, message("a"), NOW)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        database.do(told_of_something_that_fails)

    assert claim(database) == []


def test_messages_are_taken_in_the_order_in_which_they_were_written(database: Database) -> None:
    write(database, message("b"), message("a"), message("c"))

    assert keys(claim(database, most=2)) == ["b", "a"]


def test_what_one_sender_holds_no_other_sends(database: Database) -> None:
    write(database, message("a"), message("b"))

    first, second = claim(database, most=1), claim(database, holder="other")

    assert (keys(first), keys(second)) == (["a"], ["b"])


def test_of_many_senders_at_the_same_time_each_message_has_one(database: Database) -> None:
    write(database, *(message(str(number)) for number in range(40)))
    url = database.url.render_as_string(hide_password=False)
    places = [Database(url) for _ in range(4)]

    def take_all(number: int) -> list[str]:
        taken = []
        while found := claim(places[number], most=3, holder=f"sender {number}"):
            taken += keys(found)
        return taken

    with ThreadPoolExecutor(4) as threads:
        taken = list(chain.from_iterable(threads.map(take_all, range(4))))
    for place in places:
        place.close()

    assert sorted(taken) == sorted(map(str, range(40)))


def test_what_is_taken_is_never_sent_again(database: Database) -> None:
    write(database, message("a"))
    settle(database, (claim(database)[0], TAKEN))

    write(database, message("a"))

    assert claim(database) == []
    assert stands(database).sent == 1


def test_a_message_that_says_something_else_takes_the_place_of_the_one_before(
    database: Database,
) -> None:
    write(database, message("a", says=1), message("a", says=2))

    (one,) = claim(database)

    assert one.payload == {"says": 2}


def test_what_changes_while_it_is_sent_is_sent_once_more(database: Database) -> None:
    # Given a message on its way, and one of the same key that says something else
    write(database, message("a", says=1))
    (sent,) = claim(database)
    write(database, message("a", says=2))
    assert claim(database, holder="other") == []

    # When the first has been taken
    settle(database, (sent, TAKEN))

    # Then the second goes
    (again,) = claim(database)
    assert again.payload == {"says": 2}
    settle(database, (again, TAKEN))
    assert stands(database) == Standings(sent=1)


def test_a_later_stage_waits_until_the_earlier_one_of_its_topic_has_ended(
    database: Database,
) -> None:
    # Given messages of two topics
    write(database, message("end", topic="run", stage=2), message("item", topic="run", stage=1))
    write(database, message("begin", topic="run"), message("another", topic="other", stage=2))

    # When each that may go is given up or taken in turn
    order = []
    while found := claim(database):
        order.append(sorted(keys(found)))
        refused = Delivery(Came.REFUSED, "no")
        settle(database, *((one, refused if one.key == "item" else TAKEN) for one in found))

    # Then the topics do not wait for one another
    assert order == [["another", "begin"], ["item"], ["end"]]


def test_what_is_kept_back_goes_when_it_is_released_and_holds_up_its_topic_until_then(
    database: Database,
) -> None:
    write(database, message("run", topic="run", due=False), message("item", topic="run", stage=1))
    assert claim(database) == []
    assert database.do(lambda session: outbox.kept_back(session, "etl")) == ["run"]

    database.do(lambda session: outbox.release(session, "etl", "run", NOW))

    assert keys(claim(database)) == ["run"]


def test_what_a_sender_held_whose_lease_is_over_is_in_doubt(database: Database) -> None:
    write(database, message("a"))
    assert not claim(database)[0].in_doubt

    assert claim(database, holder="other", now=NOW + LEASE - 1) == []
    (taken_over,) = claim(database, holder="other", now=NOW + LEASE)

    assert taken_over.in_doubt


def test_what_a_sender_says_too_late_is_not_believed(database: Database) -> None:
    write(database, message("a"))
    (held_up,) = claim(database)
    (again,) = claim(database, holder="other", now=NOW + LEASE)

    settle(database, (held_up, FAILED), now=NOW + LEASE)
    settle(database, (again, TAKEN), holder="other", now=NOW + LEASE)

    assert stands(database).sent == 1


def test_what_a_sender_has_taken_and_not_tried_is_there_at_once(database: Database) -> None:
    write(database, message("a"), message("b"))
    first, _ = claim(database)

    settle(database, (first, TAKEN))

    assert keys(claim(database, holder="other")) == ["b"]


def test_a_sender_whose_process_is_gone_is_not_waited_for(database: Database) -> None:
    # Given a message in the hands of a process of this machine that has ended
    alive = outbox.sender_name()
    gone = alive.replace(alive.split(":")[1], "4194303")
    write(database, message("a"))
    claim(database, holder=gone)

    # Then another one has it long before its lease is over
    assert keys(claim(database, holder=alive)) == ["a"]
    assert claim(database, holder="other") == []


def test_one_poisoned_message_holds_up_no_other(database: Database) -> None:
    # Given one message that always fails among others that come all the time
    now, taken = NOW, 0
    write(database, message("poison"))
    for number in range(12):
        write(database, message(str(number)), now=now)
        told = [(one, FAILED if one.key == "poison" else TAKEN) for one in claim(database, now=now)]
        settle(database, *told, now=now)
        taken += sum(delivery is TAKEN for _, delivery in told)
        now += 900

    # Then all others are taken, and it ends with a word
    assert taken == 12
    assert stands(database).given_up == 1
    assert stands(database).last_error == "it broke"


def test_while_nobody_is_there_one_message_at_a_time_tries(database: Database) -> None:
    write(database, *(message(str(number)) for number in range(10)))
    tries, now = 0, NOW
    while now < NOW + 3600:
        if told := [(one, AWAY) for one in claim(database, most=1, now=now)]:
            tries += 1
            settle(database, *told, now=now)
        now += 60

    assert 5 < tries < 15
    assert (stands(database).waiting, stands(database).given_up) == (10, 0)


def test_what_was_given_up_or_rests_goes_at_a_persons_word(database: Database) -> None:
    write(database, message("a"), message("b"))
    first, second = claim(database)
    settle(database, (first, Delivery(Came.REFUSED, "no")), (second, AWAY))
    assert claim(database) == []

    database.do(lambda session: outbox.send_again(session, "etl", NOW, 100.0))

    assert keys(claim(database)) == ["a"]  # one tries whether it works again


def test_a_late_answer_leaves_a_message_in_doubt(database: Database) -> None:
    write(database, message("a"))
    settle(database, (claim(database)[0], LATE))

    (again,) = claim(database, now=NOW + 60)

    assert again.in_doubt


def test_a_doubt_stays_until_the_message_is_taken(database: Database) -> None:
    write(database, message("a"))
    settle(database, (claim(database)[0], LATE))

    (asked,) = claim(database, now=NOW + 60)
    settle(database, (asked, AWAY), now=NOW + 60)
    (again,) = claim(database, now=NOW + 600)

    assert again.in_doubt


def test_what_was_sent_long_ago_is_forgotten_and_nothing_else(database: Database) -> None:
    write(database, message("a"), message("b"))
    settle(database, (claim(database, most=1)[0], TAKEN))

    database.do(lambda session: outbox.forget_sent(session, "2999"))

    assert stands(database) == Standings(waiting=1, next_in_seconds=0.0)


def test_what_the_other_side_calls_something_is_known_afterwards(database: Database) -> None:
    database.do(lambda session: outbox.note_theirs(session, "etl", "run", "42"))

    assert database.do(lambda session: outbox.theirs(session, "etl", "run")) == "42"
    assert database.do(lambda session: outbox.theirs(session, "alerts", "run")) is None
