"""Read where a crawl tells its metrics."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from n8n_scraper.core.typed_settings import Given, TypedSettings, refuse, text

_PORTS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")
_MOST_PORT = 65535


@dataclass(frozen=True, slots=True)
class MetricsSettings(TypedSettings):
    """The address, and the ports of which the first free one is taken; none is no metrics."""

    host: str
    ports: range

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `METRICS_HOST` and `METRICS_PORT`."""
        ports = _ports(text(settings, "METRICS_PORT").strip())
        if ports is None:
            refuse(settings, "METRICS_PORT", "a port as in 9410, or several as in 9410-9419")
        return cls(text(settings, "METRICS_HOST"), ports)

    def url(self, port: int) -> str:
        """Where Prometheus finds them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port}/metrics"


def _ports(given: str) -> range | None:
    """Read one port, several, or none; None where it is neither."""
    if not given:
        return range(0)
    found = _PORTS.fullmatch(given)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    return range(first, last + 1) if 0 < first <= last <= _MOST_PORT else None
