"""A budget of requests."""

from n8n_scraper.policies.pace.budget import Budget


def test_what_is_promised_is_not_left_for_others() -> None:
    budget = Budget(5, spent=1)

    assert budget.promise("7", 3)
    assert budget.left == 1
    assert not budget.promise("8", 2)
    assert budget.left == 1


def test_a_request_that_leaves_uses_up_its_promise() -> None:
    budget = Budget(5)
    budget.promise("7", 2)

    budget.sent("7")

    assert (budget.spent, budget.left) == (1, 3)


def test_a_request_that_nobody_promised_takes_from_what_is_left() -> None:
    budget = Budget(2)

    budget.sent("http://n8n.example/robots.txt")

    assert budget.left == 1
    assert budget.allows(None)
    budget.sent(None)
    assert not budget.allows(None)


def test_a_repeat_is_promised_only_while_something_is_left() -> None:
    budget = Budget(2)
    budget.promise("7")
    budget.sent("7")

    assert budget.allows("7")  # a repeat, from here on promised
    assert budget.allows("7")
    assert budget.left == 0
    budget.sent("7")
    assert not budget.allows("7")


def test_what_a_template_did_not_need_is_left_for_others() -> None:
    budget = Budget(3)
    budget.promise("7", 3)
    budget.sent("7")

    budget.ended("7")
    budget.ended("unknown")

    assert budget.left == 2


def test_more_spent_than_allowed_leaves_nothing() -> None:
    assert Budget(5, spent=9).left == 0


def test_what_is_lacking_for_a_purpose_can_be_granted() -> None:
    budget = Budget(2)
    budget.promise("7")

    assert [budget.lacking(number) for number in (1, 3)] == [0, 2]
    budget.grant(2)
    assert budget.promise("8", 3)
    assert budget.lacking(1) == 1


def test_what_was_set_aside_and_not_sent_can_be_given_back() -> None:
    budget = Budget(5)
    budget.promise("7", 3)
    budget.sent("7")

    assert budget.unsent == 4
    budget.grant(-budget.unsent)
    assert (budget.unsent, budget.left) == (0, 0)


def test_what_was_sent_beyond_what_was_set_aside_is_lacking() -> None:
    budget = Budget(1)
    budget.sent("http://pictures.example/1.png")
    budget.sent("http://pictures.example/2.png")

    assert (budget.left, budget.unsent, budget.lacking(1)) == (0, 0, 2)
