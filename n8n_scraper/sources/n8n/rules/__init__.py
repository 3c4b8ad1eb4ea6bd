"""What is decided about a template: pure, for n8n alone."""
