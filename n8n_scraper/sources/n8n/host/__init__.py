"""The archive as a templates host, which n8n's own template browser asks instead of n8n.io.

What n8n 1.123 to 2.41 ask for, and what they cannot do without, was tried against a real one.
"""
