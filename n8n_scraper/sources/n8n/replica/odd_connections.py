"""Bends connections the way some real workflows are bent."""

from n8n_scraper.sources.n8n.replica.drafts import Draft
from n8n_scraper.sources.n8n.replica.layouts import Edge


def null_slot(draft: Draft) -> None:
    """Put null where a list of targets belongs; 18 workflows, such as 2621."""
    for outputs in draft.rewrite_connections().values():
        for slots in outputs.values():
            slots.append(None)


def empty_slots(draft: Draft) -> None:
    """Leave output slots empty; 2,451 workflows."""
    for outputs in draft.rewrite_connections().values():
        for slots in outputs.values():
            slots.extend([[], []])


def target_as_array(draft: Draft) -> None:
    """Write each target as ``["Node", "ai_tool", 0]``; 6915."""
    for outputs in draft.rewrite_connections().values():
        for slots in outputs.values():
            slots[:] = [[[t["node"], t["type"], t["index"]] for t in slot] for slot in slots]


def missing_output_level(draft: Draft) -> None:
    """Leave out the level of the output type; 6338 and 6335."""
    draft.edges = [edge for edge in draft.edges if edge.output_type == "main"]
    written = draft.rewrite_connections()
    for source, outputs in written.items():
        written[source] = outputs["main"]


def slot_as_object(draft: Draft) -> None:
    """Write a single target where a list of targets belongs; 6666 and 6686."""
    for outputs in draft.rewrite_connections().values():
        for slots in outputs.values():
            slots[:] = [slot[0] if len(slot) == 1 else slot for slot in slots]


def index_null(draft: Draft) -> None:
    """Write null for the index of each target; 6664."""
    for outputs in draft.rewrite_connections().values():
        for slots in outputs.values():
            for slot in slots:
                for target in slot:
                    target["index"] = None


def index_absent(draft: Draft) -> None:
    """Leave out the index of each target; 6666."""
    for outputs in draft.rewrite_connections().values():
        for slots in outputs.values():
            for slot in slots:
                for target in slot:
                    del target["index"]


def dangling_source(draft: Draft) -> None:
    """Let an edge start at a node that is not there; 39 workflows, such as 10352."""
    target = draft.steps[0]["name"]
    draft.dangling.append(Edge("Removed long ago", "main", 0, target, "main", 0))
    draft.rewrite_connections()


def dangling_target(draft: Draft) -> None:
    """Let an edge end at a node that is not there; 34 workflows, such as 5311."""
    source = draft.steps[-1]["name"]
    draft.dangling.append(Edge(source, "main", 0, "Removed long ago", "main", 0))
    draft.rewrite_connections()


def empty_connections(draft: Draft) -> None:
    """Connect nothing at all; 17 workflows."""
    draft.edges = []
    draft.rewrite_connections()


def target_type_differs(draft: Draft) -> None:
    """Let an ``error`` output feed a ``main`` input; 5370."""
    edge = draft.edges[0]
    draft.edges[0] = edge._replace(output_type="error", output_index=0)
    draft.rewrite_connections()


def bogus_output_type(draft: Draft) -> None:
    """Call an output ``output``; 12 edges in the archives."""
    edge = draft.edges[-1]
    draft.edges[-1] = edge._replace(output_type="output", output_index=0)
    draft.rewrite_connections()


def reversed_ai_edge(draft: Draft) -> None:
    """Let an agent point at its tool instead of the other way round; 7643."""
    agent, tool = draft.steps[0]["name"], draft.steps[-1]["name"]
    draft.edges.append(Edge(agent, "ai_tool", 0, tool, "ai_tool", 0))
    draft.rewrite_connections()


CONNECTION_ODDITIES = (
    null_slot,
    empty_slots,
    target_as_array,
    missing_output_level,
    slot_as_object,
    index_null,
    index_absent,
    dangling_source,
    dangling_target,
    empty_connections,
    target_type_differs,
    bogus_output_type,
    reversed_ai_edge,
)
