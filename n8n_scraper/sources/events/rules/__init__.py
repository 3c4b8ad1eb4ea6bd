"""What is decided about an event: what its authors can edit, and how much of it is there."""
