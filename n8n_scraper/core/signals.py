"""Signals of our own, and what each handler receives."""

run_started = object()
"""The database is open and the run is entered; nothing has been asked yet. May be awaited."""

run_left = object()
"""This process has left its run; the database is still there. May be awaited."""

item_ended = object()
"""An item got its outcome, and the database knows it. Arguments: `item_id`, `outcome`."""

circuit_opened = object()
"""A domain is left alone from now on, for the first time or again.

Arguments: `domain`, and `since`, the time of the first of the failures in a row that led to it.
"""

circuit_closed = object()
"""A domain's probe was answered. Argument: `domain`."""
