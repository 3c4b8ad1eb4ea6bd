"""Reads what people and programs write: dates, times, prices, data that stand in a page."""
