"""Decides which request fails and how: by path and count alone, never by the clock."""

import re
from collections import Counter

from n8n_scraper.testing.replica.draws import stable_fraction, stable_number
from n8n_scraper.testing.replica.switches import FaultRule


class FaultPlan:
    """Knows the rules, and how often each path has failed by each of them."""

    def __init__(self, rules: tuple[FaultRule, ...], seed: int) -> None:
        self._rules = [(rule, re.compile(rule.path)) for rule in rules]
        self._seed = seed
        self._failed: Counter[tuple[int, str]] = Counter()
        self._met: Counter[int] = Counter()
        self._failed_in_all: Counter[int] = Counter()

    def fault_for(self, path: str) -> str | None:
        """Name the fault this request meets, and count it; the first rule that hits wins."""
        for number, (rule, pattern) in enumerate(self._rules):
            if pattern.search(path) and self._is_hit(rule, path):
                self._met[number] += 1
                if self._is_in_force(number, rule, path):
                    self._failed[number, path] += 1
                    self._failed_in_all[number] += 1
                    return self._kind(rule, path)
        return None

    def forget(self) -> None:
        """Let every path that has healed fail anew."""
        self._failed.clear()
        self._met.clear()
        self._failed_in_all.clear()

    def _is_in_force(self, number: int, rule: FaultRule, path: str) -> bool:
        return (
            self._met[number] > rule.after
            and (rule.times is None or self._failed[number, path] < rule.times)
            and (rule.in_all is None or self._failed_in_all[number] < rule.in_all)
        )

    def _is_hit(self, rule: FaultRule, path: str) -> bool:
        return stable_fraction(self._seed, *sorted(rule.kinds), path) < rule.share

    def _kind(self, rule: FaultRule, path: str) -> str:
        return rule.kinds[stable_number(self._seed, "kind", path) % len(rule.kinds)]
