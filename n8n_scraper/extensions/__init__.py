"""What listens to a crawl: its run's lifecycle, pace, budget, checkpoints, feeds and progress."""
