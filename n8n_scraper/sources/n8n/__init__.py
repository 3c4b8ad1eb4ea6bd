"""n8n.io's public workflow templates."""
