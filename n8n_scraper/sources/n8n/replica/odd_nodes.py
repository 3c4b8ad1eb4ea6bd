"""Bends nodes and their credentials the way some real workflows are bent."""

from typing import Any

from n8n_scraper.sources.n8n.replica.drafts import Draft
from n8n_scraper.sources.n8n.replica.layouts import Node
from n8n_scraper.sources.n8n.replica.node_kinds import BASE, STICKY_NOTE
from n8n_scraper.sources.n8n.replica.words import NON_ASCII_NAMES


def missing_names(draft: Draft) -> None:
    """Leave notes and one loose node without a name; 5417, 4804, 4658."""
    _add_loose_node(draft)
    for node in [*draft.notes, draft.nodes[-1]]:
        del node["name"]


def missing_positions(draft: Draft) -> None:
    """Leave every node without a position; 6730."""
    for node in draft.nodes:
        del node["position"]


def missing_parameters(draft: Draft) -> None:
    """Leave nodes without parameters; 7666."""
    for node in draft.steps:
        del node["parameters"]


def missing_type_versions(draft: Draft) -> None:
    """Leave nodes without a version; 31 nodes, such as in 6770."""
    for node in draft.nodes[::2]:
        del node["typeVersion"]


def type_version_string(draft: Draft) -> None:
    """Write versions as text; 7296 and 4028."""
    for node in draft.nodes:
        node["typeVersion"] = str(node["typeVersion"])


def duplicate_names(draft: Draft) -> None:
    """Give two nodes one name; 19 workflows, such as 1122 and 13291."""
    loose = _add_loose_node(draft)
    loose["name"] = draft.steps[0]["name"]


def duplicate_ids(draft: Draft) -> None:
    """Give several nodes one id; 26 workflows, such as 4504."""
    for node in draft.nodes[:3]:
        node["id"] = draft.nodes[0]["id"]


def no_node_ids(draft: Draft) -> None:
    """Leave every node without an id, the form before 2022; 249 workflows, such as 879."""
    for node in draft.nodes:
        del node["id"]


def newline_in_name(draft: Draft) -> None:
    """Break the line inside a name; 5928."""
    draft.rename(draft.steps[0], "Collect rows\nand sort them")


def outer_spaces_in_names(draft: Draft) -> None:
    """Put spaces around a name; 576 nodes."""
    draft.rename(draft.steps[-1], f"  {draft.steps[-1]['name']} ")


def non_ascii_names(draft: Draft) -> None:
    """Name nodes in other scripts; 2,102 workflows."""
    for place, node in enumerate(draft.steps[: len(NON_ASCII_NAMES)]):
        draft.rename(node, f"{NON_ASCII_NAMES[place]} Ω{place}")


def fractional_positions(draft: Draft) -> None:
    """Place nodes between two points; 395 nodes."""
    for node in draft.nodes:
        node["position"] = [coordinate + 0.33331298828125 for coordinate in node["position"]]


def note_without_content(draft: Draft) -> None:
    """Add notes without a text and with an empty one; 205 notes."""
    empty: dict[str, Any] = {"width": 240, "height": 80}
    for place, parameters in enumerate((empty, {**empty, "content": ""})):
        note = _add_loose_node(draft)
        note.update(type=STICKY_NOTE, name=f"Bare Note{place}", parameters=parameters)


def unknown_node_keys(draft: Draft) -> None:
    """Add keys n8n does not know; ``cid`` and ``creator`` stand on 81 sampled nodes."""
    for node in draft.nodes:
        node.update(cid="c0ffee", creator="Copperleaf Automations", notesAlignment="left")


def credentials_as_strings(draft: Draft) -> None:
    """Write ``{type: "name"}``, the legacy form; 287 credentials."""
    _set_credentials(draft, {"slackApi": "Team account"})


def credentials_with_name_only(draft: Draft) -> None:
    """Leave out the id of a credential."""
    _set_credentials(draft, {"slackApi": {"name": "Team account"}})


def credentials_empty(draft: Draft) -> None:
    """Write ``{}`` for the credentials of a node, and for one credential."""
    _set_credentials(draft, {})
    draft.steps[-1]["credentials"] = {"slackApi": {}}


def credential_id_null(draft: Draft) -> None:
    """Write null for the id of a credential."""
    _set_credentials(draft, {"slackApi": {"id": None, "name": "Team account"}})


def credentials_with_resolve(draft: Draft) -> None:
    """Write ``{id, resolve}``; 6664."""
    _set_credentials(draft, {"gmailApi": {"id": "YOUR_CREDENTIAL_ID", "resolve": False}})


def credentials_redacted(draft: Draft) -> None:
    """Replace the whole credentials of nodes by one text; 4654 and 6976."""
    _set_credentials(draft, "[REDACTED]")


def credentials_boolean(draft: Draft) -> None:
    """Write true for a credential; 14927."""
    _set_credentials(draft, {"httpHeaderAuth": True})


def credentials_with_password(draft: Draft) -> None:
    """Write user and password into a credential; 3808."""
    _set_credentials(draft, {"httpBasicAuth": {"user": "demo", "password": "YOUR_TOKEN_HERE"}})


def _set_credentials(draft: Draft, credentials: object) -> None:
    for node in draft.steps:
        node["credentials"] = credentials


def _add_loose_node(draft: Draft) -> Node:
    node: Node = {
        "id": f"{draft.rng.getrandbits(64):016x}",
        "name": "Loose end",
        "type": BASE + "noOp",
        "position": [-400, -400],
        "parameters": {},
        "typeVersion": 1,
    }
    draft.nodes.append(node)
    return node


NODE_ODDITIES = (
    missing_names,
    missing_positions,
    missing_parameters,
    missing_type_versions,
    type_version_string,
    duplicate_names,
    duplicate_ids,
    no_node_ids,
    newline_in_name,
    outer_spaces_in_names,
    non_ascii_names,
    fractional_positions,
    note_without_content,
    unknown_node_keys,
    credentials_as_strings,
    credentials_with_name_only,
    credentials_empty,
    credential_id_null,
    credentials_with_resolve,
    credentials_redacted,
    credentials_boolean,
    credentials_with_password,
)
