"""When a domain may be asked, and whether."""
