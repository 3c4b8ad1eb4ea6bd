"""What listens to a crawl: the archive's keeper and the progress display."""
