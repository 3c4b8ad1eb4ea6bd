"""The commands that `scrapy` gains inside this project."""
