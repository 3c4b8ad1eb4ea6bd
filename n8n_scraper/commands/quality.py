"""`scrapy quality <id>`: why a template has the score it has."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import look
from n8n_scraper.core.console import refuse, say
from n8n_scraper.sources.n8n import store as templates
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.quality import (
    CONSISTENCY_WEIGHT,
    WEIGHTS,
    consistency_checks,
    score,
    verdicts,
)


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Score the stored template again, and show every rule."""
    if len(args) != 1:
        refuse("write: scrapy quality ID")
    template = look(settings, lambda session: templates.load(session, args[0]))
    if template is None:
        refuse(f"the archive has no template {args[0]!r}.")
    report = explanation(template)
    if opts.json:
        say(json.dumps(report))
    else:
        for line in lines(report):
            say(line)


def explanation(template: Template) -> dict[str, Any]:
    """The score with its parts: the points of each layer, each rule and whether it held."""
    quality = score(template)
    return {
        "workflow_id": template.workflow_id,
        "title": template.title,
        "score": quality.score,
        "grade": quality.grade,
        "layers": {
            layer: {
                "weight": WEIGHTS[layer],
                "points": quality.layers[layer],
                "rules": [
                    {
                        "code": one.rule.code,
                        "points": one.rule.points,
                        "held": one.held,
                        "holds": one.rule.holds,
                        "message": None if one.held else one.message,
                    }
                    for one in judged
                ],
            }
            for layer, judged in verdicts(template).items()
        },
        "consistency": {
            "weight": CONSISTENCY_WEIGHT,
            "points": quality.consistency,
            "checks": consistency_checks(template),
        },
        "issues": [issue.model_dump() for issue in quality.issues],
    }


def lines(report: dict[str, Any]) -> Iterator[str]:
    """The same for a person: what each rule gave, and why it gave nothing."""
    yield f"Template {report['workflow_id']}: {report['title'] or 'without a title'}"
    yield f"Score {report['score']} of 100, {report['grade']}"
    for name, layer in report["layers"].items():
        yield f"\n{name}: {layer['points']:g} of 100, which count {layer['weight']:.0%}"
        for rule in layer["rules"]:
            mark = f"+{rule['points']:g}" if rule["held"] else f"0 of {rule['points']:g}"
            said = rule["holds"] if rule["held"] else f"{rule['code']}  {rule['message']}"
            yield f"  {mark:>8}  {said}"
    consistency = report["consistency"]
    yield (
        f"\nconsistency: {consistency['points']:g} of 100, which count {consistency['weight']:.0%}"
    )
    for code, agrees in consistency["checks"].items():
        yield f"  {'yes' if agrees else 'no':>8}  {code}"
