"""What the commands do that only templates have."""
