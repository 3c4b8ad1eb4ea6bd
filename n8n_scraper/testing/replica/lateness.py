"""Says how late a stand-in is itself: what a busy machine holds up comes to it in a crowd."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

_EVERY_S = 0.02
_NOTICED_S = 0.01
_CROWD_S = 0.05
"""For how long after a hold-up those come that came while it lasted, not counting the next one."""


class Lateness:
    """How long nothing was heard before a moment, though it may have come.

    A tick shows it, which is late itself while this process has no processor.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due = math.inf
        self._held_up, self._until = 0.0, -math.inf

    async def watch(self) -> None:
        """Tick for as long as this is not cancelled."""
        while True:
            self.tick()
            await asyncio.sleep(_EVERY_S)

    def tick(self) -> None:
        """Note a hold-up that has just ended."""
        now = self._clock()
        if now - self._due > _NOTICED_S:
            # A crowd takes its time itself, and is still that of the hold-up before.
            self._held_up, self._until = self.at(now), now
        self._due = now + _EVERY_S

    def at(self, moment: float) -> float:
        """Give the seconds for which what is heard at this moment may have waited."""
        late = moment - self._due
        under_way = late if late > _NOTICED_S else 0.0
        ended = moment - under_way - self._until
        return max(under_way, self._held_up if ended < _CROWD_S else 0.0)
