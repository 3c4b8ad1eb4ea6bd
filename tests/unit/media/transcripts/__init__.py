"""The folder n8n_scraper/transcripts, file for file."""
