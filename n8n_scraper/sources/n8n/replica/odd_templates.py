"""Bends whole workflows, answers and descriptions the way some real ones are bent."""

from dataclasses import replace

from n8n_scraper.sources.n8n.replica.descriptions import NOT_VIDEOS
from n8n_scraper.sources.n8n.replica.drafts import Draft
from n8n_scraper.sources.n8n.replica.profiles import Profile
from n8n_scraper.sources.n8n.replica.workflows import MOST_NODES, draw_workflow

_HUGE_TEXT_CHARS = 860_000
_LONG_CODE_CHARS = 21_000


def settings_as_string(draft: Draft) -> None:
    """Write the settings as JSON inside a string; 7923."""
    draft.workflow["settings"] = '{"executionOrder":"v1"}'


def legacy_tags(draft: Draft) -> None:
    """Tag a workflow with plain strings and with objects."""
    stamp = "2022-01-02T03:04:05.678Z"
    tag = {"id": "3", "name": "reports", "createdAt": stamp, "updatedAt": stamp}
    draft.workflow["tags"] = ["daily", tag]


def meta_null(draft: Draft) -> None:
    """Write null for the meta data; 163 workflows."""
    draft.workflow["meta"] = None


def workflow_id_integer(draft: Draft) -> None:
    """Write the author's workflow id as a number; 18 workflows."""
    draft.workflow["id"] = 17


def workflow_id_empty(draft: Draft) -> None:
    """Write an empty workflow id; 88 workflows."""
    draft.workflow["id"] = ""


def unknown_top_level_keys(draft: Draft) -> None:
    """Add top-level keys that are rarely there; ``nodeGroups`` 445, ``shared`` 165."""
    draft.workflow.update(
        nodeGroups=[], staticData=None, shared=[], triggerCount=0, isArchived=False, version="2"
    )


def bare_workflow(draft: Draft) -> None:
    """Keep nothing but nodes and connections; 15 of 174 recorded answers."""
    draft.workflow = {key: draft.workflow[key] for key in ("nodes", "connections")}


def one_node(draft: Draft) -> None:
    """Reduce the workflow to its trigger; 14 workflows."""
    _redraw(draft, 1)


def most_nodes(draft: Draft) -> None:
    """Grow the workflow to the largest size seen, 246 nodes."""
    _redraw(draft, MOST_NODES)


def huge_workflow(draft: Draft) -> None:
    """Pin base64 data until the workflow weighs 880 kB; 1028 is of this kind."""
    data = "TmV2ZXIgZ29ubmEg" * (_HUGE_TEXT_CHARS // 16)
    name = str(draft.steps[0]["name"])
    draft.workflow["pinData"] = {name: [{"json": {}, "binary": {"data": {"data": data}}}]}


def long_code(draft: Draft) -> None:
    """Put more than 20,000 characters of code into one node; 32 nodes."""
    line = "rows.push({ title: 'example', total: 1 });\n"
    draft.steps[0]["parameters"] = {"jsCode": line * (_LONG_CODE_CHARS // len(line) + 1)}


def redacted_pin_data(draft: Draft) -> None:
    """Leave a placeholder inside pinned base64; 1,745 places in the records."""
    name = str(draft.steps[0]["name"])
    data = "iVBORw0KGgoYOUR_AWS_SECRET_KEY_HEREAAANSUhEUg=="
    draft.workflow["pinData"] = {name: [{"json": {"picture": data, "to": "user@example.com"}}]}


def null_workflow_info(draft: Draft) -> None:
    """Answer null for ``workflowInfo``; 25 templates."""
    draft.detail_changes["workflowInfo"] = None


def wrong_workflow_info(draft: Draft) -> None:
    """Count nodes wrongly in ``workflowInfo``; 187 templates."""
    draft.detail_changes["workflowInfo"] = {"nodeCount": len(draft.nodes) + 3, "nodeTypes": {}}


def null_last_updated_by(draft: Draft) -> None:
    """Answer null for ``lastUpdatedBy``; 303 templates."""
    draft.detail_changes["lastUpdatedBy"] = None


def no_listed_nodes(draft: Draft) -> None:
    """Answer an empty list of node kinds; 2732."""
    draft.detail_changes["nodes"] = []


def missing_status(draft: Draft) -> None:
    """Leave out the status, as one fixture of n8n does."""
    draft.detail_without.add("status")


def unknown_detail_keys(draft: Draft) -> None:
    """Add the keys ``reviewStatus`` and ``readyToDemo``, reported in October 2026."""
    draft.detail_changes.update(reviewStatus="approved", readyToDemo=True)


def null_bio(draft: Draft) -> None:
    """Answer null for the author's bio, and one empty link; 361 templates."""
    draft.profile.author = replace(draft.profile.author, bio=None, links=("",))


def heading_in_description(draft: Draft) -> None:
    """Open the description with a heading of first rank that is not the title."""
    draft.description.markdown = f"# Why?\n\n{draft.description.markdown}\n\n# Idea\n\nIt grew."


def html_in_description(draft: Draft) -> None:
    """Use HTML inside the Markdown; about 80 templates."""
    draft.description.markdown += '\n\n<br><h3>Watch</h3>\n<a href="https://docs.example.com">x</a>'


def short_description(draft: Draft) -> None:
    """Describe a template in 31 characters, the least seen."""
    draft.description.markdown = "Sends a message when it's late."
    draft.description.videos = []
    draft.description.images = []


def only_channel_links(draft: Draft) -> None:
    """Link channels and playlists, which are not videos; 1110, 4889, 7990."""
    short_description(draft)
    draft.description.markdown += "\n\n" + "\n\n".join(NOT_VIDEOS)


def no_categories(profile: Profile) -> None:
    """Leave a template without a category; 2404, 5781, 6242, 6248, 7000."""
    profile.categories = ()


def paid_template(profile: Profile) -> None:
    """Ask money for a template that the API serves in full all the same; 8549."""
    profile.price = 20
    profile.purchase_url = f"https://shop.example.com/l/flow-{profile.id}"


def title_with_outer_spaces(profile: Profile) -> None:
    """Put spaces around the title; 8 templates."""
    profile.title = f" {profile.title}  "


def title_with_emoji_part(profile: Profile) -> None:
    """Join the title with a part that is only emoji, of which the slug keeps nothing."""
    profile.title = f"🔥🔥 | {profile.title} | 🤖✨"


def title_with_markup_signs(profile: Profile) -> None:
    """Use the signs that HTML and attributes must escape."""
    profile.title = f"Say \"hello\" & <wave> to {profile.categories[0]} 'teams'"


def longest_title(profile: Profile) -> None:
    """Stretch the title to 119 characters, the most seen."""
    profile.title = (profile.title + " and keep everyone in the loop" * 4)[:118] + "s"


TEMPLATE_ODDITIES = (
    settings_as_string,
    legacy_tags,
    meta_null,
    workflow_id_integer,
    workflow_id_empty,
    unknown_top_level_keys,
    bare_workflow,
    one_node,
    most_nodes,
    huge_workflow,
    long_code,
    redacted_pin_data,
    null_workflow_info,
    wrong_workflow_info,
    null_last_updated_by,
    no_listed_nodes,
    missing_status,
    unknown_detail_keys,
    null_bio,
    heading_in_description,
    html_in_description,
    short_description,
    only_channel_links,
)

PROFILE_ODDITIES = (
    no_categories,
    paid_template,
    title_with_outer_spaces,
    title_with_emoji_part,
    title_with_markup_signs,
    longest_title,
)


def _redraw(draft: Draft, total: int) -> None:
    drawn = draw_workflow(draft.rng, draft.profile.title, None, total)
    draft.workflow, draft.edges = drawn.workflow, drawn.edges
    draft.note_videos = []
