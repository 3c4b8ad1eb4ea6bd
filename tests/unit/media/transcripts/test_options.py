"""The settings about transcripts."""

import pytest
from scrapy.settings import Settings

from n8n_scraper import settings as project
from n8n_scraper.core.errors import BadInput
from n8n_scraper.media.transcripts.options import TranscriptOptions, When, read_options
from n8n_scraper.policies.pace.token_bucket import BucketLimits


def options(**changed: object) -> TranscriptOptions:
    settings = Settings()
    settings.setmodule(project)
    settings.setdict(changed)
    return read_options(settings)


def test_without_a_word_the_host_is_asked_later_and_slowly() -> None:
    assert options() == TranscriptOptions(
        when=When.LATER,
        host_url="https://www.youtube.com",
        limits=BucketLimits(0.5, 1),
        languages=("en",),
        proxy=None,
        wait_seconds=30.0,
    )


def test_the_limits_of_the_domain_come_before_the_rate() -> None:
    limits = '{"youtube.com": {"rate": 3, "burst": 2}}'

    assert options(RATE_LIMITS=limits).limits == BucketLimits(3, 2)


def test_languages_are_read_in_their_order() -> None:
    assert options(TRANSCRIPT_LANGUAGES="de, pt-BR ,en").languages == ("de", "pt-br", "en")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRANSCRIPTS", "sometimes"),
        ("VIDEO_HOST_URL", "youtube.com"),
        ("VIDEO_HOST_URL", "https://www.youtube.com/watch"),
        ("TRANSCRIPT_RATE", "-1"),
        ("TRANSCRIPT_RATE", "fast"),
        ("TRANSCRIPT_WAIT", "inf"),
        ("TRANSCRIPT_LANGUAGES", "english please"),
        ("TRANSCRIPT_PROXY", "proxy.example:3128"),
        ("TRANSCRIPT_PROXY", "socks5://proxy.example:3128"),
        ("TRANSCRIPT_PROXY", "http://user:pass@proxy.example:70000"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(BadInput, match=name):
        options(**{name: value})


def test_a_proxys_password_is_never_shown() -> None:
    given = "http://user:s3cret@proxy.example:3128"

    right = options(TRANSCRIPT_PROXY=given)
    with pytest.raises(BadInput) as wrong:
        options(TRANSCRIPT_PROXY=given.replace("http:", "ftp:"))

    assert right.proxy == given
    assert "s3cret" not in repr(right)
    assert "s3cret" not in str(wrong.value)
