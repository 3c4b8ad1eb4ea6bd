import json
import time
from functools import cache
from statistics import median

import pytest

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue, UnknownTemplateError
from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.sources.n8n.replica.node_kinds import STICKY_NOTE

SEEDS = (1, 7, 2026)


@cache
def truths(seed):
    catalogue = Catalogue(1000, seed)
    return [catalogue.truth(number) for number in catalogue.ids]


def as_text(catalogue: Catalogue) -> str:
    return json.dumps([catalogue[number].detail() for number in catalogue.ids])


def test_the_same_seed_gives_the_same_catalogue():
    assert as_text(Catalogue(40, seed=3)) == as_text(Catalogue(40, seed=3))


def test_another_seed_gives_another_catalogue_with_the_same_ids():
    one, other = Catalogue(40, seed=3), Catalogue(40, seed=4)

    assert as_text(one) != as_text(other)
    assert list(one.ids) == list(other.ids)


def test_a_template_does_not_depend_on_which_were_asked_before():
    catalogue = Catalogue(40)
    backwards = {number: catalogue[number].detail() for number in reversed(catalogue.ids)}

    assert all(Catalogue(40)[number].detail() == backwards[number] for number in catalogue.ids)


def test_ids_grow_have_holes_and_can_be_computed_back():
    catalogue = Catalogue(1000)
    ids = list(catalogue.ids)

    assert ids == sorted(set(ids))
    assert ids[0] == 1
    assert 3 not in catalogue
    assert [catalogue.index_of(number) for number in ids] == list(range(1000))
    assert [catalogue.id_at(index) for index in range(1000)] == ids


def test_an_id_in_a_hole_is_unknown():
    with pytest.raises(UnknownTemplateError):
        Catalogue(10)[3]


def test_a_million_templates_cost_nothing_at_the_start():
    started = time.perf_counter()
    catalogue = Catalogue(1_000_000)
    last = catalogue.ids[-1]
    truth = catalogue.truth(last)

    assert time.perf_counter() - started < 0.5
    assert (len(catalogue), truth.id) == (1_000_000, last)


@pytest.mark.parametrize("seed", SEEDS)
def test_sizes_are_distributed_as_on_the_site(seed):
    sizes = sorted(truth.node_count + truth.note_count for truth in truths(seed))

    assert 15 <= median(sizes) <= 21
    assert 38 <= sizes[len(sizes) * 95 // 100] <= 60
    assert sizes[-1] == 246


@pytest.mark.parametrize("seed", SEEDS)
def test_shares_are_as_counted_on_the_site(seed):
    known = truths(seed)

    def share(of):
        return sum(map(bool, of)) / len(known)

    assert 0.90 < share(truth.note_count for truth in known) < 0.97
    assert 0.11 < share(truth.images for truth in known) < 0.17
    assert 0.055 < share(truth.videos for truth in known) < 0.10
    assert 0.23 < share(truth.price is None for truth in known) < 0.32
    assert 0.60 < share(len(truth.categories) == 2 for truth in known) < 0.72


def test_truth_agrees_with_detail_import_and_record():
    catalogue = Catalogue(200)

    for number in catalogue.ids:
        truth, template = catalogue.truth(number), catalogue[number]
        detail = template.detail()["workflow"]
        assert detail["workflow"] == truth.workflow == template.import_answer()["workflow"]
        assert template.strapi()["data"]["attributes"]["workflow"] == truth.workflow
        assert detail["name"] == truth.title == template.search_item()["name"]
        assert len(truth.workflow["nodes"]) == truth.node_count + truth.note_count


def test_detail_has_the_keys_of_the_site_in_their_order():
    plain = Catalogue(3)[1].detail()["workflow"]

    assert list(plain) == [
        "id",
        "name",
        "views",
        "recentViews",
        "totalViews",
        "createdAt",
        "description",
        "workflow",
        "lastUpdatedBy",
        "workflowInfo",
        "status",
        "user",
        "nodes",
        "categories",
        "image",
    ]


def test_search_items_strip_the_description_and_write_lists_as_text():
    item = Catalogue(3)[1].search_item()

    assert isinstance(item["user"]["links"], str)
    assert isinstance(json.loads(item["user"]["links"]), list)
    assert "](" not in item["description"]
    assert "##" not in item["description"]
    assert all(isinstance(json.loads(node["group"]), list) for node in item["nodes"])
    assert STICKY_NOTE not in [node["name"] for node in item["nodes"]]


def test_every_uploaded_image_a_description_names_is_listed():
    catalogue = Catalogue(300)

    for number in catalogue.ids:
        truth = catalogue.truth(number)
        assert truth.description.count("fileId:") == len(truth.images)
        assert all(f"(fileId:{image['id']})" in truth.description for image in truth.images)


def test_text_is_free_of_nul_and_of_lone_surrogates():
    text = json.dumps([t.detail() for t in map(Catalogue(200).template, Catalogue(200).ids)])

    assert "\\u0000" not in text
    json.dumps(json.loads(text), ensure_ascii=False).encode()


def test_an_edited_template_differs_in_a_parameter_a_connection_and_a_sentence():
    before, after = Catalogue(20), Catalogue(20, changes=Changes(edited={1: 2}))

    old, new = before.truth(1), after.truth(1)

    assert len(new.edges - old.edges) == 1
    assert new.description.startswith(old.description)
    assert "Revision 2" in new.description
    changed = [
        node["parameters"]
        for node, was in zip(new.workflow["nodes"], old.workflow["nodes"], strict=True)
        if node != was
    ]
    assert [parameters["revision"] for parameters in changed] == [2]
    assert before.truth(2) == after.truth(2)


def test_added_templates_follow_at_the_end_and_leave_the_others_alone():
    before, after = Catalogue(20), Catalogue(20, changes=Changes(added=3))

    assert list(after.ids)[:20] == list(before.ids)
    assert len(after) == 23
    assert all(before.truth(number) == after.truth(number) for number in before.ids)


def test_a_removed_template_is_gone_but_still_listed_by_search():
    catalogue = Catalogue(20, changes=Changes(removed=frozenset({4})))

    assert 4 not in catalogue
    assert 4 not in catalogue.ids
    assert len(catalogue) == 19
    assert 4 in catalogue.stale_ids


def test_a_renamed_template_has_another_slug():
    catalogue = Catalogue(20, changes=Changes(renamed={4: "Plus léger & better: 100% GPT-4.1"}))

    assert catalogue.truth(4).title == "Plus léger & better: 100% GPT-4.1"
    assert catalogue[4].path == "/workflows/4-plus-leger-and-better-100percent-gpt-41/"
