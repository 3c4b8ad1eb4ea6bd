"""Tests of the stand-in of n8n.io."""
