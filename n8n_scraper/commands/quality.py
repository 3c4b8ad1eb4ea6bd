"""`scrapy quality <id>`: why a template has the score it has."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import look
from n8n_scraper.core.console import refuse, say
from n8n_scraper.sources.n8n import store as templates
from n8n_scraper.sources.n8n.rules.quality import CONSISTENCY_WEIGHT
from n8n_scraper.sources.n8n.rules.quality_report import QualityReport, quality_report


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Score the stored template again, and show every rule."""
    if len(args) != 1:
        refuse("write: scrapy quality ID")
    template = look(settings, lambda session: templates.load(session, args[0]))
    if template is None:
        refuse(f"the archive has no template {args[0]!r}.")
    report = quality_report(template)
    if opts.json:
        say(json.dumps(report.as_json()))
    else:
        for line in lines(report):
            say(line)


def lines(report: QualityReport) -> Iterator[str]:
    """Tell a person what each rule gave, and why it gave nothing."""
    quality = report.quality
    yield f"Template {report.workflow_id}: {report.title or 'without a title'}"
    yield f"Score {quality.score} of 100, {quality.grade}"
    for layer in report.layers:
        yield f"\n{layer.name}: {layer.points:g} of 100, which count {layer.weight:.0%}"
        for one in layer.verdicts:
            mark = f"+{one.rule.points:g}" if one.held else f"0 of {one.rule.points:g}"
            said = one.rule.holds if one.held else f"{one.rule.code}  {one.message}"
            yield f"  {mark:>8}  {said}"
    points, weight = quality.consistency, CONSISTENCY_WEIGHT
    yield f"\nconsistency: {points:g} of 100, which count {weight:.0%}"
    for code, agrees in report.consistency.items():
        yield f"  {'yes' if agrees else 'no':>8}  {code}"
