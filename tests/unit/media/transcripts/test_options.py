"""The settings about transcripts."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.media.transcripts.options import TranscriptSettings, When
from n8n_scraper.policies.pace.token_bucket import BucketLimits


def options(**changed: object) -> TranscriptSettings:
    return TranscriptSettings.from_settings(changed)


def test_without_a_word_the_host_is_asked_later_and_slowly() -> None:
    assert options() == TranscriptSettings(
        when=When.LATER,
        host_url="https://www.youtube.com",
        limits=BucketLimits(0.5, 1),
        languages=("en",),
        proxy=None,
        wait_seconds=30.0,
        retry_after_cap_seconds=3600.0,
    )


def test_the_limits_of_the_domain_come_before_the_rate() -> None:
    limits = '{"youtube.com": {"rate": 3, "burst": 2}}'

    assert options(RATE_LIMITS=limits).limits == BucketLimits(3, 2)


@pytest.mark.parametrize(
    ("url", "stand_in"),
    [("https://www.youtube.com/", None), ("http://127.0.0.1:8809", "http://127.0.0.1:8809")],
)
def test_requests_are_led_to_a_host_that_is_another(url: str, stand_in: str | None) -> None:
    assert options(VIDEO_HOST_URL=url).stand_in == stand_in


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
