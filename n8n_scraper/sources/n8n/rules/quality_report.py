"""Explain the score of a template: the points of each layer, each rule and whether it held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.sources.n8n.item import Quality, Template
from n8n_scraper.sources.n8n.rules.quality import (
    CONSISTENCY_WEIGHT,
    WEIGHTS,
    Verdict,
    consistency_checks,
    score,
    verdicts,
)


@dataclass(frozen=True, slots=True)
class LayerReport:
    """What one layer gave to the score."""

    name: str
    weight: float
    points: float
    verdicts: tuple[Verdict, ...]

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        rules = [
            {
                "code": one.rule.code,
                "points": one.rule.points,
                "held": one.held,
                "holds": one.rule.holds,
                "message": None if one.held else one.message,
            }
            for one in self.verdicts
        ]
        return {"weight": self.weight, "points": self.points, "rules": rules}


@dataclass(frozen=True, slots=True)
class QualityReport:
    """Why a template has the score that it has."""

    workflow_id: str
    title: str | None
    quality: Quality
    layers: tuple[LayerReport, ...]
    consistency: Mapping[str, bool]
    """Each check of whether the answers agree."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return {
            "workflow_id": self.workflow_id,
            "title": self.title,
            "score": self.quality.score,
            "grade": self.quality.grade,
            "layers": {layer.name: layer.as_json() for layer in self.layers},
            "consistency": {
                "weight": CONSISTENCY_WEIGHT,
                "points": self.quality.consistency,
                "checks": dict(self.consistency),
            },
            "issues": [issue.model_dump() for issue in self.quality.issues],
        }

    def lines(self) -> Iterator[str]:
        """Tell a person what each rule gave, and why it gave nothing."""
        quality = self.quality
        yield f"Template {self.workflow_id}: {self.title or 'without a title'}"
        yield f"Score {quality.score} of 100, {quality.grade}"
        for layer in self.layers:
            yield f"\n{layer.name}: {layer.points:g} of 100, which count {layer.weight:.0%}"
            for one in layer.verdicts:
                mark = f"+{one.rule.points:g}" if one.held else f"0 of {one.rule.points:g}"
                said = one.rule.holds if one.held else f"{one.rule.code}  {one.message}"
                yield f"  {mark:>8}  {said}"
        points, weight = quality.consistency, CONSISTENCY_WEIGHT
        yield f"\nconsistency: {points:g} of 100, which count {weight:.0%}"
        for code, agrees in self.consistency.items():
            yield f"  {'yes' if agrees else 'no':>8}  {code}"


def quality_report(template: Template) -> QualityReport:
    """Score a template again, and keep every rule with its verdict."""
    quality = score(template)
    layers = tuple(
        LayerReport(layer, WEIGHTS[layer], quality.layers[layer], tuple(judged))
        for layer, judged in verdicts(template).items()
    )
    checks = consistency_checks(template)
    return QualityReport(template.workflow_id, template.title, quality, layers, checks)
