"""`scrapy explain`: why an item is as it is, at a person's terminal and for machines."""

import json
from pathlib import Path

from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests import templates
from tests.crawling import Ran, crawl, scrapy, site
from tests.unit.ledger.given import a_run
from tests.unit.making import dossier, template

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202eevil\n</script>\x9b31m"


def explained(url: str, *arguments: str, **settings: str) -> Ran:
    return scrapy("explain", *arguments, environment={"DATABASE_URL": url, **settings})


def test_it_tells_what_a_crawl_has_brought_and_what_it_would_ask_next(
    stand_in: RunningStandIn, tmp_path: Path
) -> None:
    # Given a crawl that asked for as little as it could
    url, here = f"sqlite:///{tmp_path}/a.db", site(stand_in)
    assert crawl(stand_in, url, "-a", "ids=1", "-a", "chain=lean").status == 0
    base = here["N8N_SITE_URL"]

    # When it is asked for by its id, and by the address of an answer
    ran = explained(url, "1", **here)
    by_address = explained(url, f"{base}/api/templates/workflows/1", "--json", **here)

    # Then both say the same of the same template
    assert ran.status == by_address.status == 0, ran.err + by_address.err
    for words in (
        "Template 1 of n8n: ",
        "  json: skipped, metadata brought the workflow",
        "  metadata: 200, 20",
        ": done complete (claimed once, 1 request, ",
        "  last_update_text: unknown, explainer skipped: ",
        "    json: not asked, metadata brought the workflow",
        f"    explainer: {base}/workflows/1",
        "  127.0.0.1: now (no limit)",
    ):
        assert words in ran.out
    told = json.loads(by_address.out)
    assert (told["workflow_id"], told["outcome"], told["runs"]) == ("1", "complete", 1)
    assert told["parts"]["metadata"]["status"] == "ok"
    assert {"title", "last_update_text"} <= {one["field"] for one in told["fields"]}


def test_what_a_stranger_wrote_does_nothing_to_the_terminal(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    database = Database(url)
    run_id = a_run(database, "7")
    item = template("7", run_id, name=HOSTILE, description=HOSTILE)
    answers = list(dossier("7").answers.values())
    database.do(lambda session: templates.save(session, item, answers))
    database.close()

    for ran in (explained(url, "7"), explained(url, "7", "--json")):
        assert ran.status == 0, ran.err
        assert all(sign.isprintable() or sign == "\n" for sign in ran.out)
        assert "owned" in ran.out
    assert "\\x1b]0;owned\\x07" in explained(url, "7").out


def test_what_no_crawl_would_ask_for_is_one_clear_line(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    database = Database(url)
    a_run(database, "7")
    database.close()

    for asked, words in (
        ("https://x.example/y", "https://x.example/y is no address of n8n or hk_events"),
        ("https://n8n.io/pricing", "https://n8n.io/pricing is at n8n, and no address of templates"),
        ("a\x1b[31m", "a\\x1b[31m is no id of templates and no address"),
    ):
        ran = explained(url, asked)
        assert (ran.status, ran.out) == (2, "")
        assert words in ran.err
        assert ran.err.count("\n") == 1
