"""A wall against robots, told from a page that talks about one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.failure.body import body_facts
from n8n_scraper.policies.failure.challenge import MOST_BYTES, is_challenge

HTML = {"content-type": "text/html; charset=utf-8"}
PLATFORM = '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>'
OPTIONS = "<script>window._cf_chl_opt={cvId:'3',cType:'managed'};</script>"
WIDGET = '<div class="h-captcha" data-sitekey="10000000-ffff"></div>'
ARTICLE = "<article><h1>Solve captchas with n8n</h1><p>How this template works.</p></article>"
PROSE = "<p>" + "This template checks your shop and tells you what it found. " * 12 + "</p>"


def page(title: str, body: str, head: str = "") -> bytes:
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    ).encode()


@pytest.mark.parametrize(
    "body",
    [
        page("Just a moment...", "<noscript>Enable JavaScript</noscript>" + PLATFORM),
        page(" Just a\n moment... ", "", head=OPTIONS),
        page("Just a moment...", '<div id="cf-chl-widget-x1"></div>'),
        page(
            "Attention Required! | Cloudflare",
            '<div id="cf-error-details"><h1>Sorry, you have been blocked</h1></div>',
        ),
        page("Einen Moment...", OPTIONS),  # translated, but the options are its own
        page("Security check", f"<h1>Are you human?</h1><form>{WIDGET}</form>"),
        page("Check", '<form><div class="box g-recaptcha"></div></form>'),
        page("Check", '<div class="cf-turnstile" data-sitekey="0x4A"></div>'),
        page("Check", '<h-captcha site-key="x"></h-captcha>'),
        b"\xef\xbb\xbf\n" + page("Check", WIDGET),
        page("Check", WIDGET + f"<script>{'x' * 5_000}</script>"),  # a script is no article
    ],
)
def test_a_wall_is_recognised(body: bytes) -> None:
    assert is_challenge(body, HTML)
    assert body_facts(body, HTML, expects="html").challenge
    assert body_facts(body, HTML, expects="json").challenge


@pytest.mark.parametrize(
    "headers",
    [
        {"cf-mitigated": "challenge"},
        {"cf-mitigated": " Challenge "},
        {"x-vercel-mitigated": "challenge"},
        {"x-amzn-waf-action": "captcha"},
    ],
)
def test_a_wall_that_names_itself_is_believed(headers: dict[str, str]) -> None:
    assert is_challenge(b"", headers)
    assert is_challenge(b'{"error": 1}', headers)


@pytest.mark.parametrize(
    "body",
    [
        page("Solve captchas with n8n", "<h1>h-captcha, g-recaptcha and cf-turnstile</h1>"),
        page("Just a moment...", "<h1>A template called Just a moment...</h1>"),
        page("Just a moment...", "<p>It calls /cdn-cgi/challenge-platform/ and cf-chl</p>"),
        page("Pages", PLATFORM + "<p>Cloudflare adds its script to healthy pages.</p>"),
        page("Just a moment... | n8n", PLATFORM),  # the title is not Cloudflare's whole title
        page("Just a moment...", PLATFORM + ARTICLE),  # a template of that name
        page("Captcha", ARTICLE + WIDGET),  # the comment form of an article
        page("Captcha", PROSE + WIDGET),
        page("Captcha", f"<!-- {WIDGET} -->"),
        page("Captcha", f"<script>var form = '{WIDGET}';</script>"),
        page("Captcha", f"<pre><code>{WIDGET}</code></pre>"),
        page("Captcha", f"<textarea>{WIDGET}</textarea>"),
        page("Captcha", '<p class="about-h-captcha">Not the widget</p>'),
        page("Captcha", "<p>&lt;div class=&quot;g-recaptcha&quot;&gt;</p>"),
        b"<!-- h-captcha -->",
        b"< h-captcha",
        b"captcha: please verify you are human",
        b'{"html": "<title>Just a moment...</title><div class=\\"h-captcha\\"></div>"}',
        b"",
    ],
)
def test_a_page_that_talks_about_walls_is_no_wall(body: bytes) -> None:
    assert not is_challenge(body, HTML)


def test_a_wall_is_never_as_large_as_a_page_full_of_content() -> None:
    assert is_challenge(page("Check", WIDGET + "<p>a</p>" * 100), HTML)
    assert not is_challenge(page("Check", WIDGET + "<p></p>" * MOST_BYTES), HTML)


def test_json_is_never_a_wall_by_its_content() -> None:
    assert not is_challenge(page("Check", WIDGET), {"content-type": "application/json"})
    assert not is_challenge(b"{}", {"cf-mitigated": "no"})


@given(
    pieces=st.lists(
        st.sampled_from(["<", ">", "\0", "<div class='h-captcha'>", "<title>", "</", "é", "<?xml "])
    )
)
def test_any_markup_has_an_answer(pieces: list[str]) -> None:
    body = ("<h-captcha" + "".join(pieces)).encode()

    assert is_challenge(body, HTML) in (True, False)
