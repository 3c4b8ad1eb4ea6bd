"""What is done with quotations."""

import hashlib
import json

from n8n_scraper.sources.quotes.item import Quote, broken_promises
from n8n_scraper.sources.quotes.searched import SEARCHED

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartState, PartStatus
from n8n_scraper.core.source import Authored, Computed, ItemKind, Likeness, Provenance, Rereading
from n8n_scraper.policies.likeness.features import telling_first
from n8n_scraper.policies.run.outcome import outcome_of

WRITTEN = ("title", "words", "tags")


def read(dossier, answer):
    try:
        found = json.loads(answer.body)
    except ValueError as error:
        dossier.settle(answer.part, PartStatus.FAILED, f"no JSON: {error}", "bad_content")
        return
    dossier.read[answer.part] = found
    dossier.settle(answer.part, PartStatus.OK, http_status=answer.http_status)


def assemble(dossier, provenance):
    found = dossier.read["text"]
    unobserved = {one.field: one.not_yet for one in COMPUTED}
    for name in ("title", "words"):
        if found.get(name) is None:
            unobserved[name] = "nobody gave one"
    return Quote(
        quote_id=dossier.item_id,
        title=found.get("title"),
        words=found.get("words"),
        tags=found.get("tags", []),
        outcome=outcome_of(dossier.parts),
        parts=dossier.parts,
        in_inventory=dossier.planned.listed,
        unobserved=unobserved,
        sources={name: "text" for name in WRITTEN if found.get(name) is not None},
        run_id=provenance.run_id,
        scraped_at=provenance.scraped_at,
        processing_time=provenance.processing_time,
    )


def count(quote):
    if quote.words is None:
        quote.leave_out("length", "there are no words")
    else:
        quote.observe("length", len(quote.words), "computed")


def fingerprint(quote):
    written = json.dumps(content(quote.model_dump(mode="json")), sort_keys=True)
    quote.observe("content_hash", hashlib.sha256(written.encode()).hexdigest(), "computed")


def content(record):
    return {name: record[name] for name in WRITTEN}


def changes(old, new, _read_elsewhere=()):
    names = [name for name in new if name in old and old[name] != new[name]]
    return {name: {"old": old[name], "new": new[name]} for name in names}


def renaming(old, new):
    known = ({"title": one["title"]} if one["title"] else {} for one in (old, new))
    return changes(*known)


def reopen(record):
    dossier = Dossier(Planned(record["quote_id"], record["in_inventory"]), started=0.0)
    dossier.parts = {
        part: PartState.model_validate(state) for part, state in record["parts"].items()
    }
    names = ("run_id", "scraped_at", "processing_time")
    return dossier, Provenance(site="", **{name: record[name] for name in names})


def table():
    from n8n_scraper.sources.quotes.tables import QUOTES

    return QUOTES


COMPUTED = (
    Computed("length", count, of=("words",), not_yet="not counted yet"),
    Computed("content_hash", fingerprint, of=WRITTEN, not_yet="not computed yet"),
)
KIND = ItemKind(
    item=Quote,
    read=read,
    assemble=assemble,
    computed=COMPUTED,
    promises=broken_promises,
    table=table,
    row=lambda quote: quote.model_dump(mode="json"),
    authored=Authored(("title",), content, content, changes, renaming),
    carry_over=lambda _before, quote: quote,
    rereading=Rereading(reopen),
    likeness=Likeness(
        fields=("words",),
        features=lambda record: telling_first((record["words"] or "").split(), ()),
        standing_fields=("quote_id", "length"),
        standing=lambda record: (-(record["length"] or 0), record["quote_id"]),
    ),
    searched=SEARCHED,
    kept=frozenset(("quote_id", "parts", "length")),
)
