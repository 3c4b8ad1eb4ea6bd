"""Spiders of your own; what those of the sources are made of; nothing about parsing."""
