"""Write samples as Prometheus reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from n8n_scraper.metrics import metric
from n8n_scraper.metrics.catalogue import CATALOGUE
from n8n_scraper.metrics.metric import Kind, Sample

_FAMILIES = {Kind.COUNTER: CounterMetricFamily, Kind.GAUGE: GaugeMetricFamily}


def exposition(samples: Iterable[Sample], accepts: str = "") -> tuple[bytes, str]:
    """Give the text, in the form that is accepted, and its content type.

    What the process itself takes (memory, processor, open files) is told beside the samples.
    """
    registry = CollectorRegistry()
    registry.register(_Samples(samples))
    ProcessCollector(registry=registry)
    encode, content_type = choose_encoder(accepts)
    return encode(registry), content_type


class _Samples(Collector):
    """Gives the samples to Prometheus's own library, each metric in one piece."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._by_metric: dict[metric.Metric, list[Sample]] = {}
        for sample in samples:
            self._by_metric.setdefault(sample.metric, []).append(sample)

    def describe(self) -> Sequence[Metric]:
        """Name nothing before it is asked: a registry lives for one answer."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Give each metric that has a sample, in the order of the catalogue."""
        for one in CATALOGUE:
            if found := self._by_metric.get(one):
                family = _FAMILIES[one.kind](one.name, one.says, labels=one.labels)
                for sample in found:
                    family.add_metric(sample.labels, sample.value)
                yield family
