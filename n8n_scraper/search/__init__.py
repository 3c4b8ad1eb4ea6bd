"""Finds items by their words, in the same way in both databases."""
