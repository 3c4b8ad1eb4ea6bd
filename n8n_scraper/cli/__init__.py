"""The commands that `scrapy` gains here: names, words and options, nothing that takes time.

Scrapy imports every module of this folder for every `scrapy …`. What a command does stands under
the same name in `n8n_scraper/commands/` and is imported when the command runs.
"""
