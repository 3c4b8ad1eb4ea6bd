"""Decide through which proxy a request goes, and whose fault it is when no answer comes."""
