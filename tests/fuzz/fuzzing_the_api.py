"""Ask the API whatever its own description allows, and what it does not, by schemathesis."""

import re
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from n8n_scraper.ledger.database import Database
from tests import templates
from tests.serving import TOKEN, WITH_TOKEN, served
from tests.unit.ledger.given import a_run
from tests.unit.making import dossier, template

_CONFIG = """
[checks]
# What is right in its form may have no meaning here: a domain that no source knows.
positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "422"]
# A list that is too long may be refused by its length before it is read.
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "413", "415", "422"]
"""
_KNOWN = """
[parameters]
"path.run" = "{run}"
"path.item" = "1954"
"path.source" = "n8n"
"""
_CASES = re.compile(r"([\d,]+) generated, ([\d,]+) passed")


def fuzz(folder: Path, *options: str, known: bool) -> tuple[int, str]:
    """Ask all operations; give how many cases all of which have passed, and what was said.

    Where it is `known` what is there, what is asked makes sense and names runs and items that are;
    else it is anything.
    """
    url = f"sqlite:///{folder}/archive.db"
    with closing(Database(url)) as database:
        item, answers = template("1954"), list(dossier("1954").answers.values())
        database.do(lambda session: templates.save(session, item, answers))
        run_id = a_run(database, "1", "2", "3")
    config = folder / "schemathesis.toml"
    config.write_text(_CONFIG + (_KNOWN.format(run=run_id) if known else ""))
    options_of_server = replace(WITH_TOKEN, told={"N8N_SITE_URL": "https://n8n.io"})
    with served(url, options_of_server) as server:
        ran = subprocess.run(
            [
                Path(sys.executable).with_name("schemathesis"),
                *("--config-file", config, "run", f"{server.url}/api/openapi.json"),
                *("-H", f"Authorization: Bearer {TOKEN}", "--no-color", *options),
                *("--mode", "positive" if known else "all"),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    found = _CASES.search(ran.stdout)
    whole = found is not None and found[1] == found[2] and ran.returncode == 0
    return int(found[1].replace(",", "")) if found and whole else 0, ran.stdout[-20_000:]
