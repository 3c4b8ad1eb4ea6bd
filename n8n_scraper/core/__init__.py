"""What everybody speaks in: items and their ends, errors, signals, the clock."""
