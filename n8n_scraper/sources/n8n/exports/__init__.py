"""The formats that only templates have."""
