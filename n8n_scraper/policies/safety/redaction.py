"""Name what can be done about secrets; what they are, `secrets.py` knows."""

from enum import StrEnum


class Redaction(StrEnum):
    """What is done about secrets: the values of `REDACT`."""

    OFF = "off"
    REPORT = "report"
    REPLACE = "replace"
