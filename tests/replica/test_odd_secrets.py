"""Secrets that slip into the stand-in's templates: forged, counted, and true to their places."""

import re
from collections import Counter

import pytest
from detect_secrets.core.scan import scan_file
from detect_secrets.settings import default_settings

from n8n_scraper.sources.n8n.replica import forged_secrets, odd_secrets
from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.oddities import SLIP, index_of_slip, oddity_at, slip_at

SEEDS = (1, 7, 99)
PLACEHOLDERS = ("YOUR_TOKEN_HERE", "YOUR_OPENAI_KEY_HERE", "YOUR_AWS_SECRET_KEY_HERE")
STEP = re.compile(r'\.(\w+)|\["([^"]+)"\]|\[(\d+)\]')


def slipped(name, seed=7):
    """Return the template that always has this slip."""
    catalogue = Catalogue(60, seed)
    return catalogue[catalogue.id_at(index_of_slip(name))]


def text_at(template, place):
    """Follow a place through the answers, as a reader of a finding would."""
    notes = [{"text": node["parameters"].get("content")} for node in template.draft.notes]
    value = {
        "workflow": template.workflow,
        "notes": notes,
        "description": template.draft.description.markdown,
    }
    for plain, quoted, index in STEP.findall(f".{place}"):
        value = value[int(index)] if index else value[plain or quoted]
    return value


def secrets(catalogue):
    return [one for number in catalogue.ids for one in catalogue.truth(number).secrets]


@pytest.mark.parametrize("seed", SEEDS)
def test_sixty_templates_hold_each_slip_exactly_once(seed):
    found = [name for index in range(60) if (name := slip_at(seed, index))]

    assert sorted(found) == sorted(SLIP)
    assert all(slip.__doc__ for slip in SLIP.values())


def test_sixty_templates_hold_more_than_twelve_kinds_of_secrets():
    kinds = {one.kind for one in secrets(Catalogue(60))}

    assert len(kinds) == 25


def test_later_templates_have_a_slip_now_and_then():
    share = sum(slip_at(7, index) is not None for index in range(200, 5200)) / 5000

    assert 0.02 < share < 0.04


@pytest.mark.parametrize("seed", SEEDS)
def test_no_template_is_odd_and_has_a_slip(seed):
    both = [index for index in range(5200) if slip_at(seed, index) and oddity_at(seed, index)]

    assert both == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SLIP)
def test_a_secret_stands_where_the_truth_says_and_as_often(name, seed):
    template = slipped(name, seed)

    planted = template.truth().secrets

    assert planted
    assert all(text_at(template, one.place).count(one.secret) == one.count for one in planted)


@pytest.mark.parametrize("name", SLIP)
def test_a_secret_stands_nowhere_else(name):
    template = slipped(name)
    told = Counter()
    for one in template.truth().secrets:
        told[one.secret] += one.count

    # As Python writes it, a line break in a string is two signs.
    answer = str(template.detail())

    assert {secret: answer.count(repr(secret)[1:-1]) for secret in told} == told


@pytest.mark.parametrize("name", SLIP)
def test_placeholders_stand_beside_every_secret(name):
    answer = str(slipped(name).detail())

    assert all(placeholder in answer for placeholder in PLACEHOLDERS)


@pytest.mark.parametrize("name", SLIP)
def test_a_slip_is_part_of_the_flow_and_leaves_the_rest_as_it_was(name):
    template = slipped(name)

    truth = template.truth()

    reached = {edge.target for edge in truth.edges} | {edge.source for edge in truth.edges}
    assert reached >= {node["name"] for node in template.draft.steps}
    assert truth.dangling_edges == frozenset()


def test_the_same_seed_forges_the_same_secrets_and_another_seed_others():
    one, same, other = (secrets(Catalogue(60, seed)) for seed in (7, 7, 8))

    assert one == same
    assert {secret.secret for secret in one}.isdisjoint(secret.secret for secret in other)


@pytest.mark.parametrize("module", [forged_secrets, odd_secrets])
def test_no_search_for_secrets_stops_at_the_source(module):
    with default_settings():
        found = {one.type for one in scan_file(module.__file__)}

    # A placeholder under the name of a key is the one thing that it may ask about.
    assert found <= {"Secret Keyword"}
