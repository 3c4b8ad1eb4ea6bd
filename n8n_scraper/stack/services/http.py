"""Ask a server by HTTP whether it is there."""

from __future__ import annotations

import http.client


class NoAnswer(Exception):
    """Nothing came that is HTTP; its text says what else."""


def status_of(host: str, port: int, path: str, seconds: float, *, encrypted: bool = False) -> int:
    """Ask for a page, and give the status of the answer."""
    kind = http.client.HTTPSConnection if encrypted else http.client.HTTPConnection
    connection = kind(host, port, timeout=seconds)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(str(error) or type(error).__name__) from None
    finally:
        connection.close()
