"""Samples by their name and labels, to be looked at in a test."""

from collections.abc import Iterable

from n8n_scraper.ledger.database import Database
from n8n_scraper.metrics.metric import PREFIX, Sample
from n8n_scraper.metrics.of_archive import of_archive, standing_samples
from n8n_scraper.reports.archive import archive_report
from n8n_scraper.sources.n8n.source import SOURCE

Told = dict[tuple[str, ...], float]


def told(samples: Iterable[Sample]) -> Told:
    """Key each value by its name, without what all begin with, and its labels."""
    return {
        (sample.metric.name.removeprefix(PREFIX), *map(str, sample.labels)): sample.value
        for sample in samples
    }


def archive_samples(database: Database) -> list[Sample]:
    """All that an archive of templates tells."""
    report = archive_report(database, [SOURCE])
    return [*of_archive(report, 1_800_000_000.0), *standing_samples(database, [SOURCE])]
