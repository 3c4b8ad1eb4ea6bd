"""Which address to ask when the question is whether the site still answers."""

from n8n_scraper.policies.pace.witnesses import WITNESSES, Witness, Witnesses


def test_a_host_that_has_answered_nothing_has_none() -> None:
    assert Witnesses().of("n8n.example") is None


def test_the_last_few_answered_addresses_of_each_host_are_known() -> None:
    witnesses = Witnesses()

    for number in range(10):
        witnesses.note("n8n.example", f"/{number}")
    witnesses.note("api.n8n.example", "/x")

    known = []
    for _ in range(WITNESSES):
        known.append(witnesses.of("n8n.example"))
        witnesses.turn("n8n.example")
    assert known == [Witness("/7"), Witness("/8"), Witness("/9")]
    assert witnesses.of("api.n8n.example") == Witness("/x")


def test_an_address_that_answers_again_is_no_second_one() -> None:
    witnesses = Witnesses()

    for address in ("/a", "/b", "/a", "/a"):
        witnesses.note("n8n.example", address)

    assert witnesses.of("n8n.example") == Witness("/a")
    witnesses.turn("n8n.example")
    assert witnesses.of("n8n.example") == Witness("/b")


def test_a_host_whose_witnesses_are_forgotten_has_none_until_it_answers_again() -> None:
    witnesses = Witnesses()
    witnesses.note("n8n.example", "/a")

    witnesses.forget("n8n.example")

    assert witnesses.of("n8n.example") is None
    witnesses.note("n8n.example", "/b")
    assert witnesses.of("n8n.example") == Witness("/b")


def test_what_an_answer_has_to_be_is_remembered_with_its_address() -> None:
    witnesses = Witnesses()

    witnesses.note("n8n.example", "/a", "json")

    assert witnesses.of("n8n.example") == Witness("/a", "json")
