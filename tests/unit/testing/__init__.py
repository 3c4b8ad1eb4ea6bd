"""The folder n8n_scraper/testing, file for file."""
