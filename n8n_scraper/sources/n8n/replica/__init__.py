"""Plays n8n.io on one local port: a generated catalogue, its API, its pages, its bad days."""
