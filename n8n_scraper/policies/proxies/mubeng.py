"""Starts mubeng, a rotator that others wrote, so that none of its traps is open.

As read in its version 0.9.5: it opens the TLS of what it carries, proves no site, and reads each
answer whole. It asks again by itself, past every limit of ours, and follows redirects by itself. It
ends when its list runs empty. A password of its own stands in the list of processes, and is asked
for by tunnels only. And a list that comes through a pipe replaces the one that was named.
"""

from __future__ import annotations

from n8n_scraper.core.errors import BadInput
from n8n_scraper.policies.proxies.proxy import Proxy
from n8n_scraper.policies.safety.private_network import is_this_machine

PROGRAM = "mubeng"

_FAILED = 502, b"Proxy server error"


def mubeng_command(rotator: Proxy, file: str, text: str) -> list[str]:
    """Give the command that serves the proxies of a file, whose text this is, at an address.

    Its standard input has to be empty (`/dev/null`), never a pipe.
    """
    if rotator.user or not is_this_machine(rotator.host):
        raise BadInput(
            "PROXY_ROTATOR_URL has to be an address of this machine without credentials, such as "
            "http://127.0.0.1:8089: mubeng would let in whoever asks for no tunnel."
        )
    lines = [line.strip() for line in text.splitlines()]
    if not all(line.startswith("http://") for line in lines if line and line[0] != "#"):
        raise BadInput(f"{file} has lines without http://, which mubeng would leave out.")
    one_at_a_time = ("-r", "1")  # between rotations it would use no proxy at all
    at_random = ("-m", "random")  # two requests at once break the order of the other way
    no_repeats = ("--max-errors", "0", "--max-retries", "0", "--max-redirs", "0")
    address = rotator.name
    return [PROGRAM, "-f", file, "-a", address, *one_at_a_time, *at_random, *no_repeats]


def is_page_of_mubeng(status: int, body: bytes) -> bool:
    """Tell whether mubeng answered by itself, inside the TLS that it opened."""
    return (status, body.strip()) == _FAILED
