"""Thin adapters between Scrapy's downloader and the policies."""
