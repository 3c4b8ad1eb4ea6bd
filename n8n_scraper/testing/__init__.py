"""Shipped helpers for tests: a ledger in memory, stand-ins, PostgreSQL, a movable clock."""
