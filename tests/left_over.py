"""What a run of the suite would leave behind: processes and databases that it has started."""

import os
from pathlib import Path

from sqlalchemy import create_engine, text

DATABASES = f"test_{os.getpid()}_"
"""How the names of the databases that this process makes begin."""


def children() -> list[str]:
    """The processes below this one that still live, orphans among them, by their command lines."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            _, _, after = folder.joinpath("stat").read_text().rpartition(")")
            state, parent = after.split()[:2]
            if parent == str(os.getpid()) and state != "Z":
                found.append(folder.joinpath("cmdline").read_text().replace("\0", " "))
        except OSError:  # it has ended since
            continue
    return found


def databases(server: str) -> list[str]:
    """The databases of this process that are on a PostgreSQL server."""
    engine = create_engine(server)
    with engine.connect() as connection:
        names = connection.scalars(text("SELECT datname FROM pg_database")).all()
    engine.dispose()
    return [name for name in names if name.startswith(DATABASES)]
