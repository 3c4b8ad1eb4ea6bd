"""The wiring."""

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list

from n8n_scraper import settings as project
from n8n_scraper.addon import ScraperAddon
from n8n_scraper.sources.n8n.spider import WorkflowsSpider


def wired(*, keeps_the_archive: bool = True, **values: object) -> Settings:
    settings = Settings(values)
    ScraperAddon(keeps_the_archive=keeps_the_archive).update_settings(settings)
    return settings


def names(settings: Settings, setting: str) -> list[str]:
    components = build_component_list(settings.get_component_priority_dict_with_base(setting))
    return [getattr(one, "__name__", str(one).rpartition(".")[2]) for one in components]


def test_an_item_is_judged_then_scored_then_stored() -> None:
    assert names(wired(), "ITEM_PIPELINES") == [
        "ContractPipeline",
        "ChecksPipeline",
        "DatabasePipeline",
        "TranscriptsPipeline",
        "PicturesPipeline",
    ]


def test_the_throttle_stands_nearest_to_the_site() -> None:
    assert names(wired(), "DOWNLOADER_MIDDLEWARES")[-1] == "ThrottleMiddleware"


def test_proxies_are_chosen_behind_the_throttle_where_a_request_really_leaves() -> None:
    through = wired(PROXIES="http://a.example:1", DOWNLOAD_VERIFY_CERTIFICATES=True)

    chain = names(through, "DOWNLOADER_MIDDLEWARES")
    assert chain[-2:] == ["ThrottleMiddleware", "ProxiesMiddleware"]
    assert "HttpProxyMiddleware" not in chain
    assert "ProxyKeeper" in names(through, "EXTENSIONS")


def test_without_proxies_scrapys_own_middleware_is_left_as_it_is() -> None:
    direct = wired()

    assert "HttpProxyMiddleware" in names(direct, "DOWNLOADER_MIDDLEWARES")
    assert "ProxyKeeper" not in names(direct, "EXTENSIONS")


def test_another_tool_is_asked_before_the_same_one_again() -> None:
    several = {"TOOLS": "http,devtools", "REQUIRED_FIELDS": "title"}
    chain = names(wired(**several), "DOWNLOADER_MIDDLEWARES")

    assert chain.index("LadderMiddleware") == chain.index("CategorisedRetryMiddleware") + 1
    assert "EscalationMiddleware" in names(wired(**several), "SPIDER_MIDDLEWARES")
    assert "ToolRecord" in names(wired(**several), "EXTENSIONS")
    plain = wired(keeps_the_archive=False, **several)
    assert "ToolRecord" not in names(plain, "EXTENSIONS")
    assert "LadderMiddleware" in names(plain, "DOWNLOADER_MIDDLEWARES")


def test_without_tools_to_choose_from_nothing_chooses() -> None:
    assert "LadderMiddleware" not in names(wired(), "DOWNLOADER_MIDDLEWARES")
    assert "EscalationMiddleware" not in names(wired(), "SPIDER_MIDDLEWARES")


def test_progress_is_summed_up_before_the_keeper_has_the_last_word() -> None:
    extensions = names(wired(), "EXTENSIONS")

    assert extensions.index("Progress") < extensions.index("RunLifecycle")
    assert extensions.index("Checkpoints") < extensions.index("RunLifecycle")
    assert "SpiderState" not in extensions


def test_doors_through_which_code_could_come_in_are_shut() -> None:
    assert project.TELNETCONSOLE_ENABLED is False
    assert project.REMOTE_CONTROL_ENABLED is False
    assert project.DOWNLOAD_VERIFY_CERTIFICATES is True


def test_a_console_is_loaded_only_where_somebody_wants_it() -> None:
    shut, wanted = wired(TELNETCONSOLE_ENABLED=False), wired(TELNETCONSOLE_ENABLED=True)

    assert "TelnetConsole" not in names(shut, "EXTENSIONS")
    assert "TelnetConsole" in names(wanted, "EXTENSIONS")


def test_a_spider_of_another_kind_gets_our_pace_and_otherwise_scrapy_as_it_is() -> None:
    plain = wired(keeps_the_archive=False)

    assert names(plain, "ITEM_PIPELINES") == []
    assert names(plain, "DOWNLOADER_MIDDLEWARES")[-1] == "ThrottleMiddleware"
    assert {"PlainEnd", "SpiderState", "PaceKeeper"} <= set(names(plain, "EXTENSIONS"))
    assert not {"RunLifecycle", "Checkpoints", "Progress"} & set(names(plain, "EXTENSIONS"))
    assert plain["DUPEFILTER_CLASS"] == Settings()["DUPEFILTER_CLASS"]


def test_only_a_spider_that_says_so_keeps_the_archive() -> None:
    assert ScraperAddon.from_crawler(Crawler(WorkflowsSpider)).keeps_the_archive
    assert not ScraperAddon.from_crawler(Crawler(Spider)).keeps_the_archive


def test_a_contact_given_for_one_crawl_is_in_its_introduction() -> None:
    settings = wired(CONTACT="me@example.org", USER_AGENT="")

    assert settings["USER_AGENT"].endswith("(me@example.org)")


def test_other_words_of_introduction_stay_as_they_are() -> None:
    assert wired(CONTACT="me@example.org", USER_AGENT="x")["USER_AGENT"] == "x"


def test_an_old_name_is_taken_and_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    settings = wired(N8N_CONTACT="me@example.org", USER_AGENT="")

    assert settings["USER_AGENT"].endswith("(me@example.org)")
    assert [record.message for record in caplog.records] == [
        "N8N_CONTACT is called CONTACT by now."
    ]
