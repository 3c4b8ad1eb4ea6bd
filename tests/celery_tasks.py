"""Tasks by which tests see what becomes of one; a worker gets them with `--include`."""

import os
import time
from pathlib import Path

from celery import shared_task


@shared_task
def note(path: str) -> str:
    """Write down which process did it, and give a result that nobody keeps."""
    with Path(path).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return "a result"


@shared_task
def linger(path: str) -> None:
    """Do the same, and go on until a file appears beside it."""
    note(path)
    while not Path(f"{path}.go").exists():
        time.sleep(0.02)
