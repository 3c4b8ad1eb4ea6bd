"""Turns recorded answers into templates the way a crawl does."""

from pathlib import Path

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages import read_metadata, read_workflow_json
from n8n_scraper.sources.n8n.pages.template import assemble
from n8n_scraper.sources.n8n.parts import Layer

AT = "2026-10-01T00:00:00Z"


def read_detail(file: Path) -> Dossier:
    """The dossier that a recorded metadata answer makes."""
    dossier = _dossier(file, Layer.METADATA)
    dossier.read[Layer.METADATA] = read_metadata(file.read_bytes(), asked=file.stem)
    return dossier


def read_import(file: Path) -> Dossier:
    """The dossier that a recorded JSON answer makes."""
    dossier = _dossier(file, Layer.JSON)
    dossier.read[Layer.JSON] = read_workflow_json(file.read_bytes(), asked=file.stem)
    return dossier


def template_of(dossier: Dossier) -> Template:
    """The item of a dossier of which one layer was asked for."""
    return assemble(dossier, Provenance("https://n8n.io", "run", AT, 0.5))


def _dossier(file: Path, answered: Layer) -> Dossier:
    dossier = Dossier(Planned(file.stem), started=0.0)
    dossier.answers[answered] = Answer(
        answered, f"https://api.n8n.io/{file.stem}", 200, file.read_bytes(), AT
    )
    for layer in Layer:
        if layer is answered:
            dossier.settle(layer, PartStatus.OK, http_status=200)
        else:
            dossier.settle(layer, PartStatus.SKIPPED, "not recorded")
    return dossier
