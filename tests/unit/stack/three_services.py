"""A process that holds a stack: `python -m …`, the folders of machine and state, and what it does.

It brings three services up, or stays in a block of them.
"""

import sys
import time
from pathlib import Path

from n8n_scraper.stack.stack import Stack
from tests.unit.stack.running import PATIENCE, Machine

NAMES = ("one", "two", "three")


def main(folder: Path, state: Path, what: str) -> None:
    machine = Machine(folder)
    stack = Stack([machine.service(name) for name in NAMES], state, PATIENCE)
    if what == "up":
        stack.up()
    else:
        with stack:
            print("inside", flush=True)
            time.sleep(600)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
