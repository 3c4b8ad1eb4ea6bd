"""What each command does; `n8n_scraper/cli/` says how it is called."""
