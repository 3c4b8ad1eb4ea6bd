"""The project's settings: values only, grouped by component.

Each of ours can also be given as an environment variable of the same name, and for one crawl by
`-s NAME=VALUE`. docs/reference/settings.md explains every one of them.
"""

from n8n_scraper.core.environment import setting
from n8n_scraper.sources import all_sources

BOT_NAME = "n8n_scraper"
SPIDER_MODULES = ["n8n_scraper.spiders"]
SPIDER_LOADER_CLASS = "n8n_scraper.crawl.spider_loader.SturdySpiderLoader"
NEWSPIDER_MODULE = "n8n_scraper.spiders"
COMMANDS_MODULE = "n8n_scraper.commands.cli"
# The one place where all components and their order stand.
ADDONS = {"n8n_scraper.addon.ScraperAddon": 100}

# The sources: each brings the settings that only it has.
for _source in all_sources():
    globals().update({name: setting(name, unset) for name, unset in _source.settings.items()})
# The file that names what is crawled; empty: the one that comes with the package.
SOURCES_FILE = setting("SOURCES_FILE", "")
ALLOW_OTHER_SITE = setting("ALLOW_OTHER_SITE", "0")
ITEMS_UNDER_WAY = setting("ITEMS_UNDER_WAY", "8")
# How many items one process takes of a run; 0: as many as there are.
ITEMS_AT_MOST = setting("ITEMS_AT_MOST", "0")
MOST_REMOVED = setting("MOST_REMOVED", "0.1")

# Who we are: an address or a page under which you can be reached belongs here.
CONTACT = setting("CONTACT", "")
# Empty: who we are and how to reach us, which addon.py writes when all settings are known.
USER_AGENT = setting("USER_AGENT", "")
ROBOTSTXT_OBEY = True

# The database
DATABASE_URL = setting("DATABASE_URL", "sqlite:///data/n8n.db")
DATABASE_PATIENCE = setting("DATABASE_PATIENCE", "20")

# Workers, and what they share (docs/how-to/run-the-stack.md). Empty: there is none.
REDIS_URL = setting("REDIS_URL", "")
CELERY_BROKER_URL = setting("CELERY_BROKER_URL", "")
SCRAPING_CHUNK_SIZE = setting("SCRAPING_CHUNK_SIZE", "50")
SCRAPING_SOFT_TIME_LIMIT = setting("SCRAPING_SOFT_TIME_LIMIT", "600")
SCRAPING_HARD_TIME_LIMIT = setting("SCRAPING_HARD_TIME_LIMIT", "720")
PARALLEL_SCRAPING = setting("PARALLEL_SCRAPING", "0")
DISPATCH_SCHEDULE = setting("DISPATCH_SCHEDULE", "{}")
# Whether beat dispatches the sites of the sources file when they are due.
DISPATCH_SITES = setting("DISPATCH_SITES", "0")
MODEL_SERVER_URL = setting("MODEL_SERVER_URL", "")
STACK_DIR = setting("STACK_DIR", "data/stack")
STACK_PATIENCE = setting("STACK_PATIENCE", "60")

# Answers are read in a forked process, or in a thread for so many seconds and then in a process.
COMPUTE_PROCESS_AFTER = setting("COMPUTE_PROCESS_AFTER", "0.1")

# The pace
RATE_LIMIT_RATE = setting("RATE_LIMIT_RATE", "2.0")
RATE_LIMIT_BURST = setting("RATE_LIMIT_BURST", "5")
# The slowest pace that a site's complaints may teach; below it the crawl ends.
RATE_LIMIT_FLOOR = setting("RATE_LIMIT_FLOOR", "0.05")
RATE_LIMITS = setting("RATE_LIMITS", "{}")
RETRY_AFTER_CAP = setting("RETRY_AFTER_CAP", "3600")
# How often each kind of failure is asked again, where it differs from the default table.
RETRY_RULES = setting("RETRY_RULES", "{}")
CIRCUIT_BREAKER_FAILURES = setting("CIRCUIT_BREAKER_FAILURES", "10")
CIRCUIT_BREAKER_HOLD = setting("CIRCUIT_BREAKER_HOLD", "60")
CIRCUIT_BREAKER_HOLD_CAP = setting("CIRCUIT_BREAKER_HOLD_CAP", "900")
CIRCUIT_BREAKER_WAIT_LIMIT = setting("CIRCUIT_BREAKER_WAIT_LIMIT", "1800")
CONCURRENT_REQUESTS = setting("CONCURRENT_REQUESTS", "16")
CONCURRENT_REQUESTS_PER_DOMAIN = setting("CONCURRENT_REQUESTS_PER_DOMAIN", "8")
# AutoThrottle slows down further when a site answers more slowly. It must not slow a healthy one:
# it starts without a delay and aims at the concurrency that is allowed anyway.
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0
AUTOTHROTTLE_MAX_DELAY = 60
AUTOTHROTTLE_TARGET_CONCURRENCY = 8.0
DOWNLOAD_DELAY_JITTER = 0

# Downloads. The time-out is a deadline for the whole answer, so that a drip cannot defeat it.
DOWNLOAD_HANDLERS = {
    "http": "n8n_scraper.crawl.tools.choosing.ChoosingDownloadHandler",
    "https": "n8n_scraper.crawl.tools.choosing.ChoosingDownloadHandler",
}
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 64 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True
COOKIES_ENABLED = False
DNS_TIMEOUT = 10
# What content leads to is judged where its host is resolved.
TWISTED_DNS_RESOLVER = "n8n_scraper.crawl.private_network.GuardedResolver"

# Through which proxies requests go; a list, or the file that holds one.
PROXIES = setting("PROXIES", "")
MIN_PROXIES = setting("MIN_PROXIES", "10")
PROXY_REST_SECONDS = setting("PROXY_REST_SECONDS", "60")
PROXY_REST_CAP_SECONDS = setting("PROXY_REST_CAP_SECONDS", "3600")
PROXY_REFRESH_SECONDS = setting("PROXY_REFRESH_SECONDS", "30")
# An https page of our own: what comes through a proxy as it should is known to be so.
PROXY_CANARY_URL = setting("PROXY_CANARY_URL", "")
PROXY_PLAIN_HTTP = setting("PROXY_PLAIN_HTTP", "0")
PROXY_HEALTH_FILE = setting("PROXY_HEALTH_FILE", "data/proxies.json")
PROXY_ROTATOR_URL = setting("PROXY_ROTATOR_URL", "")

# What fetches a page besides a plain request (docs/how-to/fetch-a-page-with-a-browser.md)
# Which of them may be tried for a request that leaves it open, and for the sake of which fields.
TOOLS = setting("TOOLS", "")
REQUIRED_FIELDS = setting("REQUIRED_FIELDS", "")
FIRECRAWL_URL = setting("FIRECRAWL_URL", "")
FIRECRAWL_KEY = setting("FIRECRAWL_KEY", "")
FIRECRAWL_TIMEOUT = setting("FIRECRAWL_TIMEOUT", "90")
# A browser that is there already; empty: one of our own.
DEVTOOLS_URL = setting("DEVTOOLS_URL", "")
DEVTOOLS_TIMEOUT = setting("DEVTOOLS_TIMEOUT", "150")
PLAYWRIGHT_TIMEOUT = setting("PLAYWRIGHT_TIMEOUT", "180")
PLAYWRIGHT_EXECUTABLE = setting("PLAYWRIGHT_EXECUTABLE", "")
PLAYWRIGHT_ARGUMENTS = setting("PLAYWRIGHT_ARGUMENTS", "")
PLAYWRIGHT_PAGES = setting("PLAYWRIGHT_PAGES", "4")

# Who gives the browser sessions: local, cdp or browserbase (docs/how-to/use-browser-sessions.md).
# Empty: as the tool has it.
SESSION_PROVIDER = setting("SESSION_PROVIDER", "")
# How many at once; 0: as many as its giver has of itself.
SESSIONS_AT_MOST = setting("SESSIONS_AT_MOST", "0")
SESSIONS_A_MINUTE = setting("SESSIONS_A_MINUTE", "5")
SESSION_TIMEOUT = setting("SESSION_TIMEOUT", "900")
SESSION_STRATEGY = setting("SESSION_STRATEGY", "round-robin")
SESSION_DOMAINS_FIRST = setting("SESSION_DOMAINS_FIRST", "")
SESSION_SITES = setting("SESSION_SITES", "{}")
# After how many pages a session is over; 0: never.
ITEMS_PER_SESSION = setting("ITEMS_PER_SESSION", "0")
BROWSERBASE_URL = setting("BROWSERBASE_URL", "https://api.browserbase.com")
BROWSERBASE_API_KEY = setting("BROWSERBASE_API_KEY", "")
BROWSERBASE_PROJECT_ID = setting("BROWSERBASE_PROJECT_ID", "")

# Scrapy spawns this many tasks for every answer; ours yield one thing each.
CONCURRENT_ITEMS = 4
# Scrapy reads the source of each callback at its first use; the type checker does that for us.
WARN_ON_GENERATOR_RETURN_VALUE = False

# What is done about keys, passwords and addresses of people
REDACT = setting("REDACT", "report")

# What videos say
TRANSCRIPTS = setting("TRANSCRIPTS", "later")
TRANSCRIPT_LANGUAGES = setting("TRANSCRIPT_LANGUAGES", "en")
TRANSCRIPT_RATE = setting("TRANSCRIPT_RATE", "0.5")
TRANSCRIPT_WAIT = setting("TRANSCRIPT_WAIT", "30")
TRANSCRIPT_PROXY = setting("TRANSCRIPT_PROXY", "")
VIDEO_HOST_URL = setting("VIDEO_HOST_URL", "https://www.youtube.com")

# To which server elsewhere our runs are told (docs/how-to/report-runs-to-a-server.md)
ETL_API_ENDPOINT = setting("ETL_API_ENDPOINT", "")
ETL_API_KEY = setting("ETL_API_KEY", "")
ETL_TIMEOUT = setting("ETL_TIMEOUT", "30")
ETL_BATCH = setting("ETL_BATCH", "25")
ETL_FINALIZE = setting("ETL_FINALIZE", "status")
# For how long what cannot be told is kept, and how long the end of a crawl waits to tell it.
OUTBOX_PATIENCE = setting("OUTBOX_PATIENCE", "2592000")
OUTBOX_LAST_WAIT = setting("OUTBOX_LAST_WAIT", "10")

# Whom Apprise tells when something is wrong (docs/how-to/be-told-when-something-is-wrong.md)
ALERT_URLS = setting("ALERT_URLS", "")
ALERT_CHECK_SECONDS = setting("ALERT_CHECK_SECONDS", "60")
ALERT_COOLDOWN = setting("ALERT_COOLDOWN", "3600")
ALERT_REPEAT = setting("ALERT_REPEAT", "21600")
ALERT_STALE_AFTER = setting("ALERT_STALE_AFTER", "600")
ALERT_CIRCUIT_OPEN_AFTER = setting("ALERT_CIRCUIT_OPEN_AFTER", "600")
ALERT_ERROR_RATE = setting("ALERT_ERROR_RATE", "0.1")
# The share of a source's items of which a field is to be known at least.
ALERT_COVERAGE = setting("ALERT_COVERAGE", "{}")

# Feeds: Parquet besides Scrapy's formats, and CSV in which no cell runs in a spreadsheet.
FEED_EXPORTERS = {
    "csv": "n8n_scraper.exports.safe_csv.SafeCsvItemExporter",
    "parquet": "n8n_scraper.exports.parquet.ParquetItemExporter",
}

# Pictures
DOWNLOAD_PICTURES = setting("DOWNLOAD_PICTURES", "0")
PICTURES_DIR = setting("PICTURES_DIR", "data/images")

# What a browser is shown (docs/how-to/watch-from-a-browser.md)
SERVE_HOST = setting("SERVE_HOST", "127.0.0.1")
SERVE_PORT = setting("SERVE_PORT", "8809")
# Whatever changes something needs it, and at an address that others reach everything does.
SERVE_TOKEN = setting("SERVE_TOKEN", "")
SERVE_NAMES = setting("SERVE_NAMES", "")
SERVE_ORIGINS = setting("SERVE_ORIGINS", "")
SERVE_LOOK_SECONDS = setting("SERVE_LOOK_SECONDS", "5")
SERVE_ITEM_ATTEMPTS = setting("SERVE_ITEM_ATTEMPTS", "3")

# What the person running it sees
PROGRESS = setting("PROGRESS", "auto")
CHECKPOINT_DIR = setting("CHECKPOINT_DIR", "")
# Where a crawl tells Prometheus how it goes; empty: nowhere.
METRICS_PORT = setting("METRICS_PORT", "")
METRICS_HOST = setting("METRICS_HOST", "127.0.0.1")
LOG_LEVEL = setting("LOG_LEVEL", "INFO")
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
LOG_DATEFORMAT = "%Y-%m-%d %H:%M:%S%z"
LOG_VERSIONS: list[str] = []
LOG_SHORT_NAMES = True

# Both of these execute code that is sent to them.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# `scrapy check` tries callbacks by these.
SPIDER_CONTRACTS = {
    contract: 10 + position
    for source in all_sources()
    for position, contract in enumerate(source.contracts)
}
