"""Import late: names when they are first wanted, and much at once without needless work."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any


def late(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Give the `__getattr__` of a package whose names live in these modules of its own."""

    def imported(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return imported


@contextmanager
def importing() -> Iterator[None]:
    """Keep the garbage collector away from what is imported here, now and for ever.

    Modules stay until the process ends. The collector would walk through them again and again
    while they grow, and once more at the end: a third of a short command's time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
