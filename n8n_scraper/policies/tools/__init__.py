"""With which tool a page is fetched, and when with the next one."""
