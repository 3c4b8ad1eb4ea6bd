"""What the stand-in of n8n.io plays."""

import re

from n8n_scraper.sources.n8n.replica.answers import Answers
from n8n_scraper.sources.n8n.replica.catalogue import DEFAULT_SEED, DEFAULT_TEMPLATES, Catalogue
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.sources.n8n.replica.switches import Switches
from n8n_scraper.testing.replica.script import Script

PATH_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("sitemap", re.compile(r"/sitemap")),
    ("robots", re.compile(r"/robots\.txt")),
    ("search", re.compile(r"(/api(/product-api)?)?/(templates|workflows)/search")),
    ("detail", re.compile(r"(/api)?/templates/workflows/")),
    ("import", re.compile(r"(/api)?/workflows/templates/")),
    ("by_id", re.compile(r"/api/workflows/by-id/")),
    ("strapi", re.compile(r"/api/workflows/")),
    ("page", re.compile(r"/workflows/")),
    ("list", re.compile(r"(/api)?/(templates|creators)")),
)

SCRIPT = Script(
    name="n8n.io",
    noun="templates",
    module="n8n_scraper.sources.n8n.replica",
    size=DEFAULT_TEMPLATES,
    seed=DEFAULT_SEED,
    switches=Switches,
    stock=lambda size, seed, switches: Catalogue(size, seed, switches.changes),
    site=Answers,
    kinds=PATH_KINDS,
    running=RunningStandIn,
)
