"""The tables of every room and of every source, as SQLAlchemy knows them."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from n8n_scraper import sources
from n8n_scraper.ledger.tables import Base
from n8n_scraper.outbox import tables as _outbox  # noqa: F401 - to be known
from n8n_scraper.records import tables as _records  # noqa: F401 - to be known
from n8n_scraper.search import tables as _search  # noqa: F401 - to be known

for _folder in iter_modules(sources.__path__, "n8n_scraper.sources."):
    if find_spec(f"{_folder.name}.tables"):
        import_module(f"{_folder.name}.tables")

METADATA = Base.metadata
