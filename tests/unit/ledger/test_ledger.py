"""The ledger: planned, under way, done, by any number of workers; in memory and in databases."""

import itertools
from dataclasses import replace

import pytest

from n8n_scraper.core.dossier import Answer, Planned
from n8n_scraper.core.errors import WorkedOn
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.item import Outcome, PartState, PartStatus
from n8n_scraper.ledger.ledger import (
    Claim,
    Closing,
    Inventory,
    Kept,
    Leaving,
    NewRun,
    Process,
    State,
)
from n8n_scraper.policies.run.ending import exit_status
from tests.unit.ledger.conftest import Kind

NEW = NewRun(
    "workflows",
    "n8n",
    "https://n8n.io",
    {"limit": "3"},
    {"RATE_LIMIT_RATE": "2"},
    {"a": "1"},
    "scrapy crawl workflows",
)
ONE = Process("box:1:a", "box", 60.0)
OTHER = Process("box:2:b", "box", 60.0)
THIRD = Process("box:3:c", "box", 60.0)
WHOLE = Inventory(is_whole=True)
SINCE = "2000-01-01"
_NUMBERS = itertools.count(1)


def started(kind: Kind, *ids: str, whole: bool = True) -> str:
    """A run of one worker that expects these items."""
    run_id: str = kind.enter(NEW, ONE).run_id
    first = kind.claim(run_id, ONE, 0, discover=True).first
    kind.plan(run_id, ONE, [Planned(one) for one in ids], first=first)
    if whole:
        kind.end_discovery(run_id, ONE, WHOLE)
    return run_id


def claimed(kind: Kind, run_id: str, most: int, me: Process = ONE) -> list[Claim]:
    return list(kind.claim(run_id, me, most, discover=False).claims)


def ids(claims: list[Claim]) -> list[str]:
    return [claim.item_id for claim in claims]


def done(claim: Claim, **how: object) -> Closing:
    values = {"state": State.DONE, "outcome": Outcome.COMPLETE} | how
    return Closing(claim.item_id, **values)  # type: ignore[arg-type]


def close(kind: Kind, run_id: str, claim: Claim, me: Process = ONE, **how: object) -> object:
    return kind.close(run_id, me, claim, done(claim, **how), lambda _: "stored")


def failed(kind: Kind, run_id: str, claim: Claim, category: str = "timeout") -> object:
    return close(kind, run_id, claim, state=State.FAILED, outcome=Outcome.FAILED, category=category)


def test_items_are_claimed_in_the_order_of_the_inventory_and_once(kind: Kind) -> None:
    run_id = started(kind, "5", "1", "9")

    batches = [ids(claimed(kind, run_id, 2)) for _ in range(3)]

    assert batches == [["5", "1"], ["9"], []]


def test_two_workers_never_claim_the_same(kind: Kind) -> None:
    run_id = started(kind, *"12345")
    kind.join(run_id, OTHER)

    batches = [ids(claimed(kind, run_id, 2, me)) for me in (ONE, OTHER, ONE, OTHER)]

    assert batches == [["1", "2"], ["3", "4"], ["5"], []]


def test_what_was_given_back_is_claimed_when_all_behind_it_is(kind: Kind) -> None:
    # Given three items under way, and the first of them is to be tried again
    run_id = started(kind, *"12345")
    first, *_ = claimed(kind, run_id, 3)
    failed(kind, run_id, first)
    kind.reopen_failed(run_id, ["timeout"], SINCE)

    assert [ids(claimed(kind, run_id, 9)) for _ in range(3)] == [["4", "5"], ["1"], []]


def test_planning_an_item_again_changes_nothing(kind: Kind) -> None:
    run_id = started(kind, "1", "2", whole=False)
    claimed(kind, run_id, 1)

    added = kind.plan(run_id, ONE, [Planned("1"), Planned("3"), Planned("3")], first=2)

    assert added == 1
    assert ids(claimed(kind, run_id, 9)) == ["2", "3"]


def test_what_the_inventory_said_comes_with_the_claim(kind: Kind) -> None:
    run_id = started(kind, whole=False)
    paid = Planned("4", listing={"slug": "a-slug", "price": 20.0})
    kind.plan(run_id, ONE, [paid, Planned("5", listed=False)], first=0)

    assert [claim.planned for claim in claimed(kind, run_id, 2)] == [
        paid,
        Planned("5", listed=False),
    ]
    assert kind.tally(run_id).unlisted == 1


def test_more_rows_than_one_statement_takes_are_planned(kind: Kind) -> None:
    run_id = started(kind, *map(str, range(1, 1301)))

    assert kind.tally(run_id).total == 1300


def test_the_tally_counts_by_state_and_by_outcome(kind: Kind) -> None:
    run_id = started(kind, "1", "2", "3", "4")
    one, other, _ = claimed(kind, run_id, 3)
    close(kind, run_id, one, outcome=Outcome.PARTIAL)
    failed(kind, run_id, other)

    tally = kind.tally(run_id)

    assert tally.states == {"done": 1, "failed": 1, "claimed": 1, "pending": 1}
    assert tally.outcomes == {"partial": 1, "failed": 1}
    assert (tally.total, tally.left, tally.unsettled) == (4, 2, 1)


def test_two_runs_do_not_see_each_others_items(kind: Kind) -> None:
    one = started(kind, "1")
    other = kind.enter(NEW, OTHER).run_id
    kind.plan(other, OTHER, [Planned("1")], first=kind.claim(other, OTHER, 0, discover=True).first)

    assert (ids(claimed(kind, one, 9)), ids(claimed(kind, other, 9, OTHER))) == (["1"], ["1"])


def test_an_item_is_closed_with_what_belongs_to_it_or_not_at_all(kind: Kind) -> None:
    run_id = started(kind, "1", "2")
    one, other = claimed(kind, run_id, 2)

    def breaks(_: object) -> None:
        raise ZeroDivisionError

    assert close(kind, run_id, one) == "stored"
    with pytest.raises(ZeroDivisionError):
        kind.close(run_id, ONE, other, done(other), breaks)

    assert kind.tally(run_id).states == {"done": 1, "claimed": 1}


def test_what_has_ended_is_not_closed_again(kind: Kind) -> None:
    run_id = started(kind, "1")
    (claim,) = claimed(kind, run_id, 1)
    close(kind, run_id, claim)

    assert close(kind, run_id, claim) is None


@pytest.mark.parametrize("seconds", [59, 61])
def test_items_are_taken_from_a_worker_whose_lease_has_run_out_and_from_no_other(
    kind: Kind, seconds: int
) -> None:
    # Given two workers, of which one says nothing any more
    run_id = started(kind, "1", "2", "3")
    kind.join(run_id, OTHER)
    (mine,) = claimed(kind, run_id, 1)
    claimed(kind, run_id, 1, OTHER)
    kind.let_pass(30)
    kind.renew(run_id, OTHER)
    kind.let_pass(seconds - 30)

    # When the other one gives its next sign of life
    heard = kind.renew(run_id, OTHER)

    # Then what the silent one held is given out again, if its lease is over
    is_over = seconds > 60
    assert (heard.was_away, heard.reclaimed) == (False, int(is_over))
    assert ids(claimed(kind, run_id, 9, OTHER)) == ["3"]
    assert ids(claimed(kind, run_id, 9, OTHER)) == (["1"] if is_over else [])
    # And comes too late from the sleeper
    assert (close(kind, run_id, mine) is None) is is_over


def test_a_worker_that_finds_nothing_to_do_takes_what_a_lost_one_held(kind: Kind) -> None:
    run_id = started(kind, "1", "2")
    claimed(kind, run_id, 2)
    kind.let_pass(61)
    kind.join(run_id, OTHER)

    assert ids(claimed(kind, run_id, 9, OTHER)) == ["1", "2"]


def test_a_sleeper_loses_only_what_another_one_has_by_now_and_goes_on(kind: Kind) -> None:
    # Given a worker that slept longer than its lease, of whose two items another has taken one
    run_id = started(kind, "1", "2", "3")
    kind.join(run_id, OTHER)
    first, second = claimed(kind, run_id, 2)
    kind.let_pass(61)
    kind.renew(run_id, OTHER)
    (again,) = claimed(kind, run_id, 1, OTHER)
    assert (again.item_id, again.fence) == ("1", first.fence + 1)

    # When it wakes
    batch = kind.claim(run_id, ONE, 9, discover=False)

    # Then it can do nothing to that one, and takes what is left as any other worker would
    assert batch.was_away
    assert ids(list(batch.claims)) == ["2", "3"]
    assert kind.held(run_id, ONE) == {"2": second.fence + 1, "3": 1}
    assert close(kind, run_id, first) is None
    assert close(kind, run_id, second) is None  # its claim of before
    assert close(kind, run_id, batch.claims[0]) == "stored"
    assert close(kind, run_id, again, OTHER) == "stored"


def test_a_sign_of_life_in_time_keeps_everything(kind: Kind) -> None:
    run_id = started(kind, "1")
    (claim,) = claimed(kind, run_id, 1)

    for _ in range(3):
        kind.let_pass(40)
        assert not kind.renew(run_id, ONE).was_away
        assert kind.join(run_id, replace(OTHER, name=f"box:{next(_NUMBERS)}:x")) is not None

    assert close(kind, run_id, claim) == "stored"


def test_a_sleeper_that_nobody_has_missed_loses_nothing(kind: Kind) -> None:
    run_id = started(kind, "1")
    (claim,) = claimed(kind, run_id, 1)
    kind.let_pass(3600)

    assert kind.renew(run_id, ONE).was_away
    assert kind.held(run_id, ONE) == {"1": claim.fence}
    assert close(kind, run_id, claim) == "stored"


def test_who_holds_the_lock_of_a_workers_directory_takes_its_items_at_once(kind: Kind) -> None:
    # Given a worker in a directory, and another process that has got the lock of it
    run_id = kind.enter(NEW, replace(ONE, jobdir="/jobs/state")).run_id
    kind.claim(run_id, ONE, 0, discover=True)
    kind.plan(run_id, ONE, [Planned("1")], first=0)
    (claim,) = claimed(kind, run_id, 1)

    # When it goes on with the run, then the first one counts as gone
    joined = kind.take_up(run_id, NEW, replace(OTHER, jobdir="/jobs/state"))

    assert joined.tally.states == {"pending": 1}
    assert close(kind, run_id, claim) is None


def test_answers_of_a_chain_under_way_are_kept_for_the_next_holder(kind: Kind) -> None:
    run_id = started(kind, "7")
    (claim,) = claimed(kind, run_id, 1)
    answer = Answer("metadata", "http://x/", 200, b"{}", "2026-01-01T00:00:00Z")
    parts = [
        Kept("metadata", PartState(status=PartStatus.OK), answer, 2),
        Kept("json", PartState(status=PartStatus.MISSING, reason="404"), None, 2),
    ]

    assert kind.keep(run_id, ONE, claim, parts)

    kind.let_pass(61)
    kind.join(run_id, OTHER)
    (again,) = claimed(kind, run_id, 1, OTHER)
    assert sorted(again.kept, key=lambda part: part.part) == sorted(
        parts, key=lambda part: part.part
    )
    # And who has lost the item adds nothing to it
    assert not kind.keep(run_id, ONE, claim, [replace(parts[0], requests=9)])
    kind.let_pass(61)
    kind.renew(run_id, ONE)
    (last,) = claimed(kind, run_id, 1)
    assert {part.requests for part in last.kept} == {2}


def test_what_was_kept_is_forgotten_when_the_item_has_ended(kind: Kind) -> None:
    run_id = started(kind, "7")
    (claim,) = claimed(kind, run_id, 1)
    kind.keep(run_id, ONE, claim, [Kept("json", PartState(status=PartStatus.OK), None, 1)])
    failed(kind, run_id, claim)
    kind.reopen_failed(run_id, ["timeout"], SINCE)

    (again,) = claimed(kind, run_id, 1)

    assert again.kept == ()


def test_the_evidence_of_a_failure_is_no_answer_of_the_next_chain(kind: Kind) -> None:
    run_id = started(kind, whole=False)
    kind.plan(run_id, ONE, [bringing("1"), Planned("7")], first=0)
    evidence = [
        Kept(part, PartState(status=PartStatus.FAILED), answer("x", part), 1)
        for part in ("event", "json")
    ]

    for claim in claimed(kind, run_id, 2):
        closing = done(claim, state=State.FAILED, outcome=Outcome.FAILED, category="timeout")
        kind.close(run_id, ONE, claim, closing, lambda _: "noted", evidence=evidence)
    kind.reopen_failed(run_id, ["timeout"], SINCE)

    # Then only what the inventory has brought is there, as it was
    again = claimed(kind, run_id, 9)
    assert bodies(again) == {"1": b"<event/>", "7": None}
    assert [len(one.kept) for one in again] == [1, 0]


def answer(body: str, part: str) -> Answer:
    return Answer(part, "https://site.example", 200, body.encode(), "2026")


def bringing(item_id: str, body: bytes = b"<event/>") -> Planned:
    """An item whose inventory has brought its answer along."""
    return Planned(item_id, answers=(Answer("event", "https://site.example", 200, body, "2026"),))


def bodies(claims: list[Claim]) -> dict[str, bytes | None]:
    """What comes with the claims of items."""
    return {
        claim.item_id: next((part.answer.body for part in claim.kept if part.answer), None)
        for claim in claims
    }


def test_an_answer_that_the_inventory_has_brought_is_kept_with_the_plan(kind: Kind) -> None:
    run_id = started(kind, whole=False)
    planned = [bringing("1", b"one"), Planned("2"), bringing("3", b"three")]

    kind.plan(run_id, ONE, planned, first=0)

    claims = claimed(kind, run_id, 9)
    assert bodies(claims) == {"1": b"one", "2": None, "3": b"three"}
    [kept] = claims[0].kept
    assert (kept.state.status, kept.requests) == (PartStatus.OK, 0)


def test_an_inventory_that_is_read_again_brings_answers_only_for_what_is_not_begun(
    kind: Kind,
) -> None:
    run_id = started(kind, whole=False)
    kind.plan(run_id, ONE, list(map(bringing, "12")), first=0)
    (first,) = claimed(kind, run_id, 1)
    failed(kind, run_id, first)

    again = [bringing("1", b"newer"), bringing("2", b"newer")]
    kind.plan(run_id, ONE, again, first=2)

    assert bodies(claimed(kind, run_id, 9)) == {"2": b"newer"}
    kind.reopen_failed(run_id, ["timeout"], SINCE)
    assert bodies(claimed(kind, run_id, 9)) == {"1": b"<event/>"}


def test_what_the_inventory_has_brought_is_there_when_an_item_is_tried_again(kind: Kind) -> None:
    # Given an item with an answer that was brought, and one that was asked for
    run_id = started(kind, whole=False)
    kind.plan(run_id, ONE, [bringing("1"), Planned("7")], first=0)
    one, seven = claimed(kind, run_id, 2)
    asked_for = Kept("json", PartState(status=PartStatus.OK), None, 1)
    kind.keep(run_id, ONE, seven, [asked_for])

    # When both have failed and are tried again
    for claim in (one, seven):
        failed(kind, run_id, claim)
    kind.reopen_failed(run_id, ["timeout"], SINCE)

    # Then what was brought is there, and the other is asked for anew
    again = claimed(kind, run_id, 9)
    assert bodies(again) == {"1": b"<event/>", "7": None}
    assert again[1].kept == ()


def test_failures_of_the_site_are_reopened_and_those_of_items_are_not(kind: Kind) -> None:
    run_id = started(kind, "1", "2", "3")
    for claim, category in zip(
        claimed(kind, run_id, 3), ("timeout", "bad_content", "timeout"), strict=True
    ):
        failed(kind, run_id, claim, category)

    assert kind.reopen_failed(run_id, ["timeout"], "2020-01-01") == 2
    assert kind.tally(run_id).outcomes == {"failed": 1}
    assert ids(claimed(kind, run_id, 9)) == ["1", "3"]


def test_what_nobody_has_begun_is_dropped_and_what_others_hold_or_have_ended_stays(
    kind: Kind,
) -> None:
    run_id = started(kind, *"12345")
    kind.join(run_id, OTHER)
    first, second = claimed(kind, run_id, 2)
    claimed(kind, run_id, 1, OTHER)
    close(kind, run_id, first)

    tally = kind.drop_the_rest(run_id, ONE, second, "spent")

    assert tally.states == {"done": 1, "claimed": 1}
    assert list(kind.held(run_id, OTHER)) == ["3"]
    assert kind.drop_the_rest(run_id, ONE, second, "spent") is None


def test_what_failed_and_was_to_be_tried_again_is_not_dropped_but_failed(kind: Kind) -> None:
    run_id = started(kind, "1", "2")
    first, second = claimed(kind, run_id, 2)
    failed(kind, run_id, first)
    kind.reopen_failed(run_id, ["timeout"], SINCE)

    tally = kind.drop_the_rest(run_id, ONE, second, "spent")

    assert (tally.states, tally.outcomes) == ({"failed": 1}, {"failed": 1})


def test_discovery_is_one_workers_and_only_that_one_plans(kind: Kind) -> None:
    run_id = kind.enter(NEW, ONE).run_id
    kind.join(run_id, OTHER)

    first = kind.claim(run_id, ONE, 1, discover=True).first
    batch = kind.claim(run_id, OTHER, 1, discover=True)

    assert (first, batch.first, batch.is_over) == (0, None, False)
    assert batch.inventory == Inventory()
    assert kind.plan(run_id, OTHER, [Planned("8")], first=0) is None
    assert kind.plan_by(run_id, OTHER, lambda _: "planned") is None
    assert not kind.end_discovery(run_id, OTHER, WHOLE)
    assert kind.plan(run_id, ONE, [Planned("1")], first=0) == 1
    assert kind.plan_by(run_id, ONE, lambda _: "planned") == "planned"


def test_discovery_of_a_lost_worker_goes_on_behind_what_it_has_planned(kind: Kind) -> None:
    # Given a worker that has planned two items and is gone
    run_id = started(kind, "1", "2", whole=False)
    kind.join(run_id, OTHER)
    kind.let_pass(61)

    # When another one asks for work
    batch = kind.claim(run_id, OTHER, 1, discover=True)

    # Then it takes discovery up, if nothing else is to be done for a lost worker's sake first
    first = batch.first
    if first is None:
        kind.renew(run_id, OTHER)
        first = kind.claim(run_id, OTHER, 1, discover=True).first
    assert first == 2
    # And the first one plans nothing more when it wakes
    assert kind.renew(run_id, ONE).was_away
    assert kind.plan(run_id, ONE, [Planned("9")], first=2) is None
    assert not kind.end_discovery(run_id, ONE, Inventory(error="broken off"))


@pytest.mark.parametrize(
    "inventory", [WHOLE, Inventory(error="cut short"), Inventory(refusal="no such category")]
)
def test_a_run_is_over_for_everybody_when_its_inventory_and_all_items_are(
    kind: Kind, inventory: Inventory
) -> None:
    run_id = started(kind, "1", whole=False)
    kind.join(run_id, OTHER)
    (claim,) = claimed(kind, run_id, 1)
    assert not kind.claim(run_id, OTHER, 1, discover=True).is_over
    kind.end_discovery(run_id, ONE, replace(inventory, warning="a doubt"))
    assert not kind.claim(run_id, OTHER, 1, discover=True).is_over
    close(kind, run_id, claim)

    batch = kind.claim(run_id, OTHER, 1, discover=True)

    assert (batch.is_over, batch.first) == (True, None)
    assert batch.inventory == replace(inventory, warning="a doubt")


def test_the_last_item_ends_the_run_and_all_its_workers_tell_the_same(kind: Kind) -> None:
    run_id = started(kind, "1", "2")
    kind.join(run_id, OTHER)
    one, two = claimed(kind, run_id, 2)
    close(kind, run_id, one)
    failed(kind, run_id, two)

    accounts = [kind.leave(run_id, me, Leaving("finished")) for me in (OTHER, ONE)]

    assert [exit_status("finished", one) for one in accounts] == [ExitStatus.FAILURES] * 2
    assert accounts[0].outcomes == accounts[1].outcomes
    assert all(one.is_over for one in accounts)
    assert kind.join(run_id, THIRD) is None


def test_a_worker_that_leaves_early_gives_back_what_it_holds_and_the_others_go_on(
    kind: Kind,
) -> None:
    run_id = started(kind, "1", "2")
    kind.join(run_id, OTHER)
    claimed(kind, run_id, 1)

    account = kind.leave(run_id, ONE, Leaving("shutdown"))

    assert (account.left, account.others, account.is_over) == (2, 1, False)
    assert exit_status("shutdown", account) is ExitStatus.WORK_LEFT
    assert ids(claimed(kind, run_id, 9, OTHER)) == ["1", "2"]


def test_a_run_is_stopped_when_its_last_worker_leaves_before_it_is_over(kind: Kind) -> None:
    run_id = started(kind, "1")
    kind.leave(run_id, ONE, Leaving("shutdown"))

    joined = kind.join(run_id, OTHER)

    assert joined.taken_up
    assert ids(claimed(kind, run_id, 9, OTHER)) == ["1"]


def test_a_lost_worker_does_not_keep_a_run_from_being_stopped(kind: Kind) -> None:
    run_id = started(kind, "1")
    claimed(kind, run_id, 1)
    kind.let_pass(61)
    kind.join(run_id, OTHER)

    account = kind.leave(run_id, OTHER, Leaving("shutdown"))

    assert (account.others, account.left) == (0, 1)


def test_what_one_worker_could_not_write_the_run_has_not_written(kind: Kind) -> None:
    run_id = started(kind, "1")
    kind.join(run_id, OTHER)
    close(kind, run_id, claimed(kind, run_id, 1)[0])

    first = kind.leave(run_id, ONE, Leaving("finished", feed_lost=True))
    last = kind.leave(run_id, OTHER, Leaving("finished"))

    assert [exit_status("finished", one) for one in (first, last)] == [ExitStatus.FEED_LOST] * 2


def test_an_inventory_that_failed_is_tried_again_when_the_run_goes_on(kind: Kind) -> None:
    run_id = kind.enter(NEW, ONE).run_id
    kind.claim(run_id, ONE, 1, discover=True)
    kind.end_discovery(run_id, ONE, Inventory(error="the site was away"))
    account = kind.leave(run_id, ONE, Leaving("finished"))
    assert exit_status("finished", account) is ExitStatus.NO_INVENTORY

    joined = kind.take_up(run_id, NEW, OTHER)

    assert joined.inventory == Inventory()
    assert kind.claim(run_id, OTHER, 1, discover=True).first == 0


def test_a_run_is_taken_up_by_its_own_command_only(kind: Kind) -> None:
    run_id = started(kind, "1")
    kind.leave(run_id, ONE, Leaving("shutdown"))

    for changes in ({"arguments": {}}, {"site": "http://other"}):
        assert kind.take_up(run_id, replace(NEW, **changes), OTHER) is None
    assert kind.take_up("unknown", NEW, OTHER) is None
    joined = kind.take_up(run_id, replace(NEW, settings={"RATE_LIMIT_RATE": "40"}), OTHER)
    assert (joined.run_id, joined.taken_up, joined.tally.left) == (run_id, True, 1)


def test_a_finished_run_is_neither_taken_up_nor_joined(kind: Kind) -> None:
    run_id = started(kind)
    kind.leave(run_id, ONE, Leaving("finished"))

    assert kind.take_up(run_id, NEW, OTHER) is None
    assert kind.join(run_id, OTHER) is None
    assert kind.join("unknown", OTHER) is None


def test_a_directory_that_is_at_work_on_another_machine_is_left_to_it(kind: Kind) -> None:
    run_id = kind.enter(NEW, replace(ONE, jobdir="/jobs/state")).run_id
    elsewhere = Process("elsewhere:1:z", "elsewhere", 60.0, "/jobs/state")

    with pytest.raises(WorkedOn, match=rf"Process box 1 works on run {run_id}"):
        kind.take_up(run_id, NEW, elsewhere)

    kind.let_pass(61)
    assert kind.take_up(run_id, NEW, elsewhere) is not None


def test_a_budget_is_shared_and_what_is_given_back_is_there_for_others(kind: Kind) -> None:
    run_id = started(kind, "1")
    kind.join(run_id, OTHER)

    granted = [kind.reserve(run_id, number, budget=10) for number in (4, 4, 4, 2, 1)]

    assert granted == [True, True, False, True, False]
    assert kind.reserve(run_id, -3, budget=10)
    assert kind.affordable(run_id, budget=10) == 3


def test_what_a_killed_worker_had_set_aside_counts_as_spent(kind: Kind) -> None:
    run_id = started(kind, "1")
    kind.reserve(run_id, 4, budget=10)
    kind.let_pass(61)

    kind.join(run_id, OTHER)

    assert kind.affordable(run_id, budget=10) == 6
