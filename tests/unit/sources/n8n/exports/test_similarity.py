import itertools
from array import array
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from n8n_scraper.policies.likeness.features import Features, likeness
from n8n_scraper.policies.likeness.groups import Groups
from n8n_scraper.sources.n8n.exports.similarity import (
    LEAST_PARTS_OF_A_GRAPH,
    graph_features,
    join_alike,
    split,
    text_features,
)
from tests.thoroughness import at_length

words = st.sampled_from(["when", "a", "form", "is", "sent", "ask", "the", "model", "row"])
texts = st.lists(words, max_size=12).map(" ".join)
thresholds = st.sampled_from([0.3, 0.5, 0.7, 0.9, 1.0])


def changed_copies(random: Random) -> list["Features[int]"]:
    """Give copies of two documents, each with some features taken out and some put in."""
    originals = [random.sample(range(150), random.randint(1, 60)) for _ in range(2)]
    documents = []
    for _ in range(15):
        original = random.choice(originals)
        kept = random.sample(original, random.randint(len(original) // 2, len(original)))
        added = random.sample(range(150), random.randint(0, 20))
        documents.append(array("I", sorted({*kept, *added})))
    return documents


@given(st.lists(texts, max_size=12), thresholds)
@settings(max_examples=at_length(300), deadline=None)
def test_every_two_that_are_alike_are_in_one_group(written: list[str], threshold: float) -> None:
    documents = [text_features(text) for text in written]
    groups = Groups(len(documents))

    join_alike(groups, documents, threshold)

    for one, other in itertools.combinations(range(len(documents)), 2):
        if likeness(documents[one], documents[other]) >= threshold:
            assert groups.of(one) == groups.of(other)


@given(st.lists(texts, max_size=12), thresholds)
@settings(max_examples=at_length(300), deadline=None)
def test_a_group_is_a_chain_of_alike_ones(written: list[str], threshold: float) -> None:
    documents = [text_features(text) for text in written]
    groups = Groups(len(documents))

    join_alike(groups, documents, threshold)

    for member in range(len(documents)):
        if groups.of(member) != member:
            others = [n for n in range(len(documents)) if n != member]
            assert any(
                likeness(documents[member], documents[n]) >= threshold - 1e-9 for n in others
            )


@given(st.integers(0, 2**32), thresholds)
@settings(max_examples=at_length(60), deadline=None)
def test_of_long_documents_no_alike_pair_is_missed_either(seed: int, threshold: float) -> None:
    documents = changed_copies(Random(seed))
    found, plain = Groups(len(documents)), Groups(len(documents))

    join_alike(found, documents, threshold)

    for one, other in itertools.combinations(range(len(documents)), 2):
        if likeness(documents[one], documents[other]) >= threshold:
            plain.join(one, other)
    everyone = range(len(documents))
    assert [found.of(one) for one in everyone] == [plain.of(one) for one in everyone]


@given(texts, texts)
def test_likeness_is_the_same_both_ways_and_between_0_and_1(one: str, other: str) -> None:
    first, second = text_features(one), text_features(other)

    assert likeness(first, second) == likeness(second, first)
    assert 0 <= likeness(first, second) <= 1
    assert likeness(first, first) == (1 if first else 0)


@given(
    st.lists(st.integers(0, 20).map(str), max_size=100),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.integers(0, 9),
)
def test_whole_groups_are_taken_and_never_more_than_the_share(
    groups: list[str], share: float, seed: int
) -> None:
    taken = split(groups, share, seed)

    assert taken <= set(groups)
    assert sum(group in taken for group in groups) <= round(share * len(groups))
    assert split(sorted(groups), share, seed) == taken


def test_with_groups_of_one_the_share_is_met_exactly() -> None:
    taken = split([str(number) for number in range(1_000)], 0.1, seed=0)

    assert len(taken) == 100


def test_another_seed_takes_others() -> None:
    groups = [str(number) for number in range(100)]

    assert split(groups, 0.1, seed=0) != split(groups, 0.1, seed=1)


def test_case_and_punctuation_make_no_difference() -> None:
    assert text_features("Send, a MAIL: now!") == text_features("send a mail now")


def test_no_words_are_like_nothing() -> None:
    assert likeness(text_features("🚀"), text_features("🚀")) == 0


def test_a_small_graph_tells_nothing() -> None:
    small = ["webhook"] + ["set"] * (LEAST_PARTS_OF_A_GRAPH - 2)

    assert not graph_features(small, [])
    assert graph_features([*small, "slack"], [])


def test_the_second_node_of_a_type_counts_as_well() -> None:
    many = graph_features(["set"] * 20, [])
    more = graph_features(["set"] * 25, [])

    assert likeness(many, more) == 20 / 25
