"""What each command does; `n8n_scraper/commands/cli/` says how it is called."""
