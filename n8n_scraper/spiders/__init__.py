"""The spiders: which addresses, in which order; nothing about parsing."""
