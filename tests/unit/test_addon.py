"""The wiring."""

from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list

from n8n_scraper import settings as project
from n8n_scraper.addon import ScraperAddon


def wired(**values: object) -> Settings:
    settings = Settings(values)
    ScraperAddon().update_settings(settings)
    return settings


def names(settings: Settings, setting: str) -> list[str]:
    components = build_component_list(settings.get_component_priority_dict_with_base(setting))
    return [getattr(one, "__name__", str(one).rpartition(".")[2]) for one in components]


def test_an_item_is_judged_then_scored_then_stored() -> None:
    assert names(wired(), "ITEM_PIPELINES") == [
        "ValidationPipeline",
        "NoVideoPipeline",
        "ImportCheckPipeline",
        "SecretsPipeline",
        "QualityPipeline",
        "DatabasePipeline",
        "TranscriptsPipeline",
        "TemplateImagesPipeline",
    ]


def test_the_throttle_stands_nearest_to_the_site() -> None:
    assert names(wired(), "DOWNLOADER_MIDDLEWARES")[-1] == "ThrottleMiddleware"


def test_progress_is_summed_up_before_the_keeper_has_the_last_word() -> None:
    extensions = names(wired(), "EXTENSIONS")

    assert extensions.index("Progress") < extensions.index("ArchiveKeeper")
    assert extensions.index("Checkpoints") < extensions.index("ArchiveKeeper")
    assert "SpiderState" not in extensions


def test_doors_through_which_code_could_come_in_are_shut() -> None:
    assert project.TELNETCONSOLE_ENABLED is False
    assert project.REMOTE_CONTROL_ENABLED is False
    assert project.DOWNLOAD_VERIFY_CERTIFICATES is True


def test_a_console_is_loaded_only_where_somebody_wants_it() -> None:
    shut, wanted = wired(TELNETCONSOLE_ENABLED=False), wired(TELNETCONSOLE_ENABLED=True)

    assert "TelnetConsole" not in names(shut, "EXTENSIONS")
    assert "TelnetConsole" in names(wanted, "EXTENSIONS")
