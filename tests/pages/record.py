"""Record the answers anew: `make cassettes`, or `python tests/pages/record.py`.

Starts the stand-in on the port that the cases name, and lets scrapy-mock record its answers.
A case that has no item yet gets what our spider makes of its answer, for you to read; an item that
stands there is never touched, unless `--items` asks for it.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import requests
from scrapy.http import HtmlResponse

sys.path.insert(0, str(Path(__file__).parents[2]))  # this file is run as a script

from tests.pages.cases import EXPECTED, SITE, cases, item_from
from tests.pages.conftest import CASSETTES

ROOT = Path(__file__).parents[2]
TESTS = Path(__file__).with_name("test_recorded_answers.py")


def main() -> int:
    """Record, and say by the exit status whether the tests then pass."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", action="store_true", help="write down all items anew, too")
    options = parser.parse_args()
    for file in CASSETTES.glob("*.yaml"):
        file.unlink()
    with subprocess.Popen(
        _stand_in(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as stand_in:
        assert stand_in.stdout is not None
        stand_in.stdout.readline()  # it says so when it answers
        _write_down(anew=options.items)
        outside_ci = {name: value for name, value in os.environ.items() if name != "CI"}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS)]
        status = subprocess.run(command, cwd=ROOT, env=outside_ci, check=False).returncode
        stand_in.terminate()
    return status


def _stand_in() -> list[str]:
    port = str(urlsplit(SITE).port)
    options = ["--port", port, "--seed", "7", "--until-stdin-closes"]
    return [sys.executable, "-m", "n8n_scraper.sources.n8n.replica", *options]


def _write_down(*, anew: bool) -> None:
    for name, case in cases().items():
        if anew or "gives" not in case:
            answer = requests.get(case["url"], timeout=10)
            response = HtmlResponse(case["url"], body=answer.content)
            text = json.dumps(
                {**case, "gives": item_from(response, case)}, indent=1, ensure_ascii=False
            )
            (EXPECTED / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
