"""Gives the property tests all the time they need: a busy machine is no finding."""

from hypothesis import settings

settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")
