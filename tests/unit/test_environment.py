"""Where the value of a setting comes from."""

from scrapy.settings import Settings
from scrapy.utils.conf import feed_process_params_from_cli

from n8n_scraper.environment import given_by_hand


def test_only_what_the_command_line_says_was_given_by_hand() -> None:
    # Given a project's settings, an addon's, and two options of the command line
    settings = Settings({"RATE_LIMIT_RATE": "2"}, priority="project")
    settings.set("SCHEDULER", "x", priority="addon")
    settings.set("JOBDIR", "state", priority="cmdline")
    feeds = feed_process_params_from_cli(settings, [], overwrite_output=["a.jsonl"])
    settings.set("FEEDS", feeds, priority="cmdline")

    given = given_by_hand(settings)

    assert set(given) == {"JOBDIR", "FEEDS"}
    assert given["FEEDS"]["a.jsonl"] == {"format": "jsonl", "overwrite": True}
