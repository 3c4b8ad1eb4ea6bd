import json
import re

import pytest

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.node_kinds import STICKY_NOTE
from n8n_scraper.sources.n8n.replica.oddities import ODDITIES, index_of_oddity, oddity_at
from n8n_scraper.sources.n8n.replica.pages import render_markdown

SEEDS = (1, 7, 99)


def odd(name, seed=7):
    """Return the template that always has this oddity."""
    catalogue = Catalogue(200, seed)
    return catalogue[catalogue.id_at(index_of_oddity(name))]


def targets(template):
    """Yield what stands in the slots of all well-formed connections."""
    for outputs in template.workflow["connections"].values():
        for slots in outputs.values():
            for slot in slots:
                yield from slot if isinstance(slot, list) else [slot]


def credentials(template):
    return [node["credentials"] for node in template.draft.steps]


def rendered(template):
    """The description as the page shows it."""
    return render_markdown(template)


def shown(template):
    """The elements of which the description is made."""
    return re.findall(r"<(\w+)", rendered(template))


# One row an oddity: its name, and what must be visible in the template that has it.
VISIBLE = {
    "null_slot": lambda t: None in targets(t),
    "empty_slots": lambda t: "[],[]" in json.dumps(t.workflow, separators=(",", ":")),
    "target_as_array": lambda t: all(isinstance(one, list) for one in targets(t)),
    "missing_output_level": lambda t: all(
        isinstance(slots, list) for slots in t.workflow["connections"].values()
    ),
    "slot_as_object": lambda t: any(
        isinstance(slot, dict)
        for outputs in t.workflow["connections"].values()
        for slots in outputs.values()
        for slot in slots
    ),
    "index_null": lambda t: all(one["index"] is None for one in targets(t)),
    "index_absent": lambda t: all("index" not in one for one in targets(t)),
    "dangling_source": lambda t: "Removed long ago" in t.workflow["connections"],
    "dangling_target": lambda t: "Removed long ago" in {one["node"] for one in targets(t)},
    "empty_connections": lambda t: t.workflow["connections"] == {} and not t.truth().edges,
    "target_type_differs": lambda t: any(
        edge.output_type != edge.input_type for edge in t.truth().edges
    ),
    "bogus_output_type": lambda t: "output" in {edge.output_type for edge in t.truth().edges},
    "reversed_ai_edge": lambda t: t.draft.edges[-1].source == t.draft.steps[0]["name"],
    "missing_names": lambda t: any("name" not in node for node in t.draft.steps),
    "missing_positions": lambda t: all("position" not in node for node in t.draft.nodes),
    "missing_parameters": lambda t: all("parameters" not in node for node in t.draft.steps),
    "missing_type_versions": lambda t: any("typeVersion" not in node for node in t.draft.nodes),
    "type_version_string": lambda t: all(
        isinstance(node["typeVersion"], str) for node in t.draft.nodes
    ),
    "duplicate_names": lambda t: len({node["name"] for node in t.draft.nodes}) < len(t.draft.nodes),
    "duplicate_ids": lambda t: len({node["id"] for node in t.draft.nodes}) < len(t.draft.nodes),
    "no_node_ids": lambda t: all("id" not in node for node in t.draft.nodes),
    "newline_in_name": lambda t: any("\n" in node["name"] for node in t.draft.nodes),
    "outer_spaces_in_names": lambda t: any(
        node["name"] != node["name"].strip() for node in t.draft.nodes
    ),
    "non_ascii_names": lambda t: any(not node["name"].isascii() for node in t.draft.steps),
    "fractional_positions": lambda t: isinstance(t.draft.nodes[0]["position"][0], float),
    "note_without_content": lambda t: any(
        node["type"] == STICKY_NOTE and "content" not in node["parameters"]
        for node in t.draft.notes
    ),
    "unknown_node_keys": lambda t: all("cid" in node for node in t.draft.nodes),
    "credentials_as_strings": lambda t: isinstance(credentials(t)[0]["slackApi"], str),
    "credentials_with_name_only": lambda t: list(credentials(t)[0]["slackApi"]) == ["name"],
    "credentials_empty": lambda t: credentials(t)[0] == {} and credentials(t)[-1]["slackApi"] == {},
    "credential_id_null": lambda t: credentials(t)[0]["slackApi"]["id"] is None,
    "credentials_with_resolve": lambda t: credentials(t)[0]["gmailApi"]["resolve"] is False,
    "credentials_redacted": lambda t: credentials(t)[0] == "[REDACTED]",
    "credentials_boolean": lambda t: credentials(t)[0]["httpHeaderAuth"] is True,
    "credentials_with_password": lambda t: "password" in credentials(t)[0]["httpBasicAuth"],
    "settings_as_string": lambda t: isinstance(t.workflow["settings"], str),
    "legacy_tags": lambda t: "daily" in t.workflow["tags"],
    "meta_null": lambda t: t.workflow["meta"] is None,
    "workflow_id_integer": lambda t: isinstance(t.workflow["id"], int),
    "workflow_id_empty": lambda t: t.workflow["id"] == "",
    "unknown_top_level_keys": lambda t: "nodeGroups" in t.workflow,
    "bare_workflow": lambda t: list(t.workflow) == ["nodes", "connections"],
    "one_node": lambda t: len(t.draft.nodes) == 1,
    "most_nodes": lambda t: len(t.draft.nodes) == 246,
    "huge_workflow": lambda t: 860_000 < len(json.dumps(t.workflow)) < 960_000,
    "long_code": lambda t: len(t.draft.steps[0]["parameters"]["jsCode"]) > 20_000,
    "redacted_pin_data": lambda t: "YOUR_AWS_SECRET_KEY_HERE" in str(t.workflow["pinData"]),
    "null_workflow_info": lambda t: t.detail()["workflow"]["workflowInfo"] is None,
    "wrong_workflow_info": lambda t: (
        t.detail()["workflow"]["workflowInfo"]["nodeCount"] != len(t.draft.nodes)
    ),
    "null_last_updated_by": lambda t: t.detail()["workflow"]["lastUpdatedBy"] is None,
    "no_listed_nodes": lambda t: t.detail()["workflow"]["nodes"] == [],
    "missing_status": lambda t: "status" not in t.detail()["workflow"],
    "unknown_detail_keys": lambda t: "readyToDemo" in t.detail()["workflow"],
    "null_bio": lambda t: t.truth().author["bio"] is None and t.truth().author["links"] == [""],
    "heading_in_description": lambda t: t.truth().description.startswith("# Why?"),
    "html_in_description": lambda t: "<h3>" in t.truth().description,
    "short_description": lambda t: len(t.truth().description) == 31,
    "only_channel_links": lambda t: "playlist?list=" in t.truth().description,
    "picture_only": lambda t: shown(t) == ["p", "img"] and t.truth().images,
    "picture_without_alt": lambda t: shown(t) == ["p", "img"] and 'alt=""' in rendered(t),
    "several_pictures_only": lambda t: shown(t) == ["p", "img"] * 3 and len(t.truth().images) == 3,
    "linked_picture_only": lambda t: shown(t) == ["p", "a", "img"],
    "video_only": lambda t: shown(t) == ["iframe"] and len(t.draft.description.videos) == 1,
    "frame_only": lambda t: "loom.com/embed" in rendered(t) and not t.draft.description.videos,
    "video_element_only": lambda t: shown(t) == ["p", "video"],
    "plain_text_only": lambda t: shown(t) == ["p"] and t.truth().description.endswith("team."),
    "empty_description": lambda t: t.truth().description == rendered(t) == "",
    "no_categories": lambda t: t.detail()["workflow"]["categories"] == [],
    "paid_template": lambda t: t.search_item()["price"] == 20 and "price" not in str(t.detail()),
    "title_with_outer_spaces": lambda t: t.title != t.title.strip(),
    "title_with_emoji_part": lambda t: t.title.startswith("🔥") and t.slug[0].isalnum(),
    "title_with_markup_signs": lambda t: "<wave>" in t.title,
    "longest_title": lambda t: len(t.title) == 119,
}


def test_every_oddity_has_a_row_here_and_tells_what_it_copies():
    assert set(VISIBLE) == set(ODDITIES)
    assert all(bend.__doc__ for bend in ODDITIES.values())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ODDITIES)
def test_each_oddity_is_visible_in_the_first_200_templates(name, seed):
    template = odd(name, seed)

    assert template.oddity == name
    assert VISIBLE[name](template)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_200_places_hold_each_oddity_exactly_once(seed):
    last = max(map(index_of_oddity, ODDITIES))

    found = [name for index in range(last + 1) if (name := oddity_at(seed, index))]

    assert last < 200
    assert sorted(found) == sorted(ODDITIES)


def test_later_templates_are_odd_now_and_then():
    share = sum(oddity_at(7, index) is not None for index in range(200, 5200)) / 5000

    assert 0.03 < share < 0.07


def test_an_edge_to_a_missing_node_is_not_a_true_edge():
    truth = odd("dangling_target").truth()

    assert len(truth.dangling_edges) == 1
    assert truth.edges.isdisjoint(truth.dangling_edges)
    assert truth.connection_count == len(truth.edges)
