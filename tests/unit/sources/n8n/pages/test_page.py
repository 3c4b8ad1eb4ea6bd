"""The explainer page: a good page among decoys, told apart from a page that is none."""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.errors import BadContent, NotFoundPage, UnreadableAnswer, WrongItem
from n8n_scraper.sources.n8n.pages.markdown import Picture
from n8n_scraper.sources.n8n.pages.page import ExplainerPage, read_page
from n8n_scraper.sources.n8n.replica import chrome
from n8n_scraper.sources.n8n.replica.error_pages import challenge_page, not_found_page
from n8n_scraper.testing.replica.misbehaviour import gateway_page
from tests.unit.sources.n8n.pages.given import html_page

ABOVE = (
    '<aside><p>Created by</p><a href="/creators/n8n-team/"><span>n8n Team</span></a>'
    "<p>Last update</p><p>Last update 3 months ago</p><p>Categories</p>"
    '<a href="/workflows/categories/ai/">AI</a><a href="/workflows/categories/it-ops/">IT Ops</a>'
    "</aside><button>Use for free</button>"
)


def read(body: bytes, asked: str = "1954", url: str = "") -> ExplainerPage:
    return read_page(body, asked=asked, url=url)


def test_a_whole_page_is_read_field_by_field() -> None:
    found = read(html_page(above=ABOVE))

    assert found == ExplainerPage(
        workflow_id="1954",
        slug="ai-agent-chat",
        title="AI agent chat",
        author_name="n8n Team",
        author_username="n8n-team",
        categories=["AI", "IT Ops"],
        last_update_text="3 months ago",
        price=0.0,
        purchase_url=None,
        text="Chat with an agent.",
        markdown="Chat with an agent.",
        addresses=[],
        pictures=[],
        workflow=None,
    )


RELATED = (
    '<section class="section-creator-workflows"><h2>More templates by n8n Team</h2>'
    '<a class="card" href="/workflows/5-other/"><h3 class="title">Other</h3></a>'
    '<a href="/creators/somebody-else/">Somebody Else</a></section>'
    '<section class="section-creator-workflows"><h1>And once more</h1>'
    '<p class="description">Another one.</p></section>'
    '<section><a href="/workflows/categories/sales/">Sales</a><p>Last update 9 years ago</p>'
    '<div class="content-styles">Something else.</div><a href="/b">Buy for $99</a></section>'
)
NAVIGATION_WITH_LINKS = (
    '<nav><a href="/creators/">Creators</a><a href="/workflows/categories/">Categories</a>'
    '<a href="/workflows/categories/sales/">Sales</a><a href="/creators/star/">Star</a></nav>'
)


@pytest.mark.parametrize(
    "decoy",
    [
        pytest.param({"below": chrome.footer()}, id="footer with the channel"),
        pytest.param({"below": chrome.testimonials()}, id="testimonials"),
        pytest.param({"below": chrome.cookie_dialog()}, id="cookie dialog below"),
        pytest.param({"before": chrome.cookie_dialog()}, id="cookie dialog above"),
        pytest.param({"before": chrome.testimonials()}, id="testimonials above"),
        pytest.param({"below": RELATED}, id="related templates"),
        pytest.param(
            {"below": RELATED + chrome.testimonials() + chrome.footer() + chrome.cookie_dialog()},
            id="all",
        ),
        pytest.param({"before": chrome.navigation()}, id="navigation"),
        pytest.param({"before": NAVIGATION_WITH_LINKS}, id="navigation with such links"),
        pytest.param({"below": "<h1>Ooops...</h1><p>error 404</p>"}, id="another h1"),
        pytest.param(
            {"below": '<span class="badge tag category">Targeting</span>'}, id="tag-like words"
        ),
        pytest.param({"before": "<!-- <h1>Hidden</h1> -->"}, id="comment"),
        pytest.param({"before": "<script>'<h1>Script</h1>'</script>"}, id="script"),
        pytest.param({"before": "<noscript><h1>Turn it on</h1></noscript>"}, id="noscript"),
        pytest.param(
            {"before": '<p class="description"> </p>'}, id="empty place for a description"
        ),
    ],
)
def test_a_decoy_never_reaches_a_field(decoy: dict[str, str]) -> None:
    plain = read(html_page(above=ABOVE))
    before = decoy.get("before", "")
    body = html_page(above=ABOVE, below=decoy.get("below", ""))

    found = read(body.replace(b"<body>", b"<body>" + before.encode()))

    assert asdict(found) == asdict(plain)


def test_headings_of_the_author_are_not_the_title() -> None:
    found = read(html_page("<h1>Why?</h1><p>Because.</p><h1>Idea</h1>"))

    assert found.title == "AI agent chat"
    assert found.text == "Why?\nBecause.\nIdea"


def test_without_a_heading_the_title_is_that_of_the_head() -> None:
    body = html_page().replace(b"<h1>AI agent chat</h1>", b"<h1> </h1>")

    assert read(body).title == "AI agent chat"


def test_a_page_without_any_title_has_none() -> None:
    body = b'<html><body><div class="workflow-description">text</div></body></html>'

    assert read(body).title is None


@pytest.mark.parametrize(
    ("above", "price", "purchase_url"),
    [
        ("<button>Use for free</button>", 0.0, None),
        ("<button> USE  for\nfree </button>", 0.0, None),
        (
            '<a href="https://shop.example.com/l/1">Buy for $20</a>',
            20.0,
            "https://shop.example.com/l/1",
        ),
        ("<button>Buy for $ 4.50</button>", 4.5, None),
        ("<p>Buy for $20</p>", None, None),  # no button
        ("<button>Sign in</button>", None, None),
        ("", None, None),
    ],
)
def test_the_offer_is_read_from_its_button(
    above: str, price: float | None, purchase_url: str | None
) -> None:
    found = read(html_page(above=above))

    assert (found.price, found.purchase_url) == (price, purchase_url)


@pytest.mark.parametrize(
    ("above", "last_update"),
    [
        ("<p>Last update</p><p>Last update 3 months ago</p>", "3 months ago"),
        ("<p>Last update</p><p>3 months ago</p>", "3 months ago"),
        ("<p>Last update</p> <div> <p> a day ago </p></div>", "a day ago"),
        ("<p>Last updated 2 days ago</p>", "2 days ago"),
        ("<p>Last update</p>", None),
        ("<p>It tells the last update of a page</p>", None),
        ("", None),
    ],
)
def test_the_last_update_follows_its_label(above: str, last_update: str | None) -> None:
    assert read(html_page(above=above)).last_update_text == last_update


def test_a_title_about_a_last_update_is_no_date() -> None:
    found = read(html_page(title="Last update notifier", above="<p>Last update 5 days ago</p>"))

    assert found.title == "Last update notifier"
    assert found.last_update_text == "5 days ago"


@pytest.mark.parametrize(
    ("above", "name", "username"),
    [
        ('<a href="/creators/n8n-team/">n8n Team</a>', "n8n Team", "n8n-team"),
        ('<a href="https://n8n.io/creators/a?x=1"><img><b>A</b> B</a>', "A B", "a"),
        ('<a href="/creators/a/"></a>', None, "a"),
        ('<a href="/creators/">Creators</a>', None, None),
        ('<a href="https://[/creators/a/">A</a>', None, None),
        ("<a>nowhere</a>", None, None),
    ],
)
def test_the_author_is_the_first_creator_linked_above(
    above: str, name: str | None, username: str | None
) -> None:
    found = read(html_page(above=above))

    assert (found.author_name, found.author_username) == (name, username)


def test_a_category_is_listed_once() -> None:
    link = '<a href="/workflows/categories/ai/">AI</a><a href="/workflows/categories/x/"> </a>'

    assert read(html_page(above=link + link)).categories == ["AI"]


@pytest.mark.parametrize(
    ("description", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\nTwo"),
        ("<ul><li>One</li><li>Two</li></ul>", "One\nTwo"),
        ("One<br>Two", "One\nTwo"),
        ("<p>One <b>bold</b>\n  word</p>", "One bold word"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<pre>a" + " " * 100_000 + "b</pre>", "a" + " " * 100_000 + "b"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a\nb"),
        ("<p>a<script>alert(1)</script>b</p>", "ab"),
        ("<p>&lt;wave&gt; &amp; “hello”</p>", "<wave> & “hello”"),
        ("<p>a&#0;b&#xD800;c</p>", None),
    ],
)
def test_the_text_has_a_line_for_each_block(description: str, text: str | None) -> None:
    found = read(html_page(description)).text

    assert found.encode()
    assert "\x00" not in found
    assert text is None or found == text


@pytest.mark.parametrize(
    "decoy",
    [
        "<button>Copy</button>",
        "<nav>More templates</nav>",
        '<div class="cookie-banner">Strictly necessary</div>',
        '<div class="x"><section id="testimonials">Great!</section></div>',
        "<svg><title>Logo</title></svg>",
        "<form>Subscribe</form>",
        "<n8n-demo workflow='{}'>Preview</n8n-demo>",
    ],
)
def test_what_a_page_puts_into_a_description_is_no_content(decoy: str) -> None:
    assert read(html_page(f"<p>Text</p>{decoy}")).text == "Text"


def test_a_heading_about_cookies_is_the_authors() -> None:
    assert read(html_page('<h2 id="cookie-consent">Cookies</h2><p>Yum</p>')).text == "Cookies\nYum"


@pytest.mark.parametrize(
    ("description", "pictures", "addresses"),
    [
        pytest.param('<p><img src="https://a/b.png" alt="B"></p>',
                     [Picture("https://a/b.png", "B")], ["https://a/b.png"], id="a picture"),
        pytest.param('<img src="https://a/1.png"><img src="https://a/2.png">',
                     [Picture("https://a/1.png", None), Picture("https://a/2.png", None)],
                     ["https://a/1.png", "https://a/2.png"], id="several pictures"),
        pytest.param('<a href="https://x"><img src="https://a/b.png"></a>',
                     [Picture("https://a/b.png", None)], ["https://x", "https://a/b.png"],
                     id="a picture with a link"),
        pytest.param('<iframe src="https://www.youtube-nocookie.com/embed/x"></iframe>',
                     [], ["https://www.youtube-nocookie.com/embed/x"], id="a frame"),
        pytest.param('<video controls><source src="https://a/b.mp4"></video>',
                     [], ["https://a/b.mp4"], id="a video"),
        pytest.param("<hr>", [], [], id="a rule"),
        pytest.param(" ", [], [], id="nothing at all"),
        pytest.param("<button>Copy</button>", [], [], id="what the page put there"),
    ],
)  # fmt: skip
def test_a_description_without_a_word_is_one(
    description: str, pictures: list[Picture], addresses: list[str]
) -> None:
    found = read(html_page(description, above=ABOVE))

    assert (found.text, found.pictures, found.addresses) == ("", pictures, addresses)
    assert (found.title, found.author_username) == ("AI agent chat", "n8n-team")


def test_a_picture_is_a_description_on_a_page_that_says_nothing_of_itself() -> None:
    body = b'<html><body><div class="description"><img src="https://a/b.png"></div></body></html>'

    assert read(body).pictures == [Picture("https://a/b.png", None)]


def test_title_and_author_make_an_empty_page_a_templates_as_well() -> None:
    found = read(html_page("", address="", above=ABOVE))

    assert (found.workflow_id, found.text) == ("1954", "")


@pytest.mark.parametrize(
    ("body", "refusal", "reason"),
    [
        pytest.param(html_page("", address=""), BadContent, "without a template's description",
                     id="nothing says whose it is"),
        pytest.param(html_page("", above=ABOVE).partition(b"</div>")[0], BadContent, "cut short",
                     id="cut off where the description begins"),
        pytest.param(html_page("", above="<h2>error 404</h2>"), NotFoundPage, "do not exist",
                     id="the page for other addresses"),
        pytest.param(html_page("", address="https://n8n.io/workflows/1955-x/"), WrongItem,
                     "speaks of 1955", id="the page of another template"),
    ],
)  # fmt: skip
def test_an_empty_description_needs_a_page_that_is_otherwise_whole(
    body: bytes, refusal: type[Exception], reason: str
) -> None:
    with pytest.raises(refusal, match=reason):
        read(body)


def test_the_addresses_of_the_description_are_listed() -> None:
    found = read(html_page('a <a href="https://x">b</a><a>c</a><iframe src="https://y"></iframe>'))

    assert found.addresses == ["https://x", "https://y"]


def test_pictures_of_the_description_are_listed() -> None:
    found = read(
        html_page('x <img src="https://a/b.png" alt="B"><img alt="no source"><img src="c">')
    )

    assert found.pictures == [Picture("https://a/b.png", "B"), Picture("c", None)]


@pytest.mark.parametrize("place", ["workflow-description", "description", "content-styles"])
def test_the_description_has_had_three_places(place: str) -> None:
    body = f'<html><body><h1>T</h1><div class="{place} x"><p>Text</p></div></body></html>'

    assert read(body.encode()).text == "Text"


WORKFLOW = '{"nodes": [{"name": "a &quot;b&quot;"}], "connections": {}}'


@pytest.mark.parametrize(
    ("demo", "workflow"),
    [
        (f"<n8n-demo workflow='{WORKFLOW.replace('&quot;', '&#92;&quot;')}'></n8n-demo>", True),
        ("<n8n-demo workflow='{}'></n8n-demo>", False),
        ("<n8n-demo workflow='{\"nodes\": [}'></n8n-demo>", False),
        ("<n8n-demo></n8n-demo>", False),
        ("", False),
    ],
)
def test_the_workflow_in_the_preview_is_read(demo: str, workflow: bool) -> None:
    found = read(html_page(above=demo)).workflow

    assert (found is not None) == workflow


def test_a_preview_of_883_kilobytes_is_read_whole() -> None:
    data = "TmV2ZXIgZ29ubmEg" * 55_000
    demo = f'<n8n-demo workflow="{{&quot;nodes&quot;:[],&quot;pinData&quot;:&quot;{data}&quot;}}">'

    assert read(html_page(above=demo + "</n8n-demo>")).workflow == {"nodes": [], "pinData": data}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(not_found_page(), id="as recorded"),
        pytest.param(not_found_page().replace(b"Page not found", b""), id="error 404 alone"),
        pytest.param(
            not_found_page().replace(chrome.cookie_dialog().encode(), b""),
            id="without the cookie dialog",
        ),
        pytest.param(b"<html><title>Page not found</title><body>x</body></html>", id="by title"),
        pytest.param(b"<html><body><h2>PAGE NOT FOUND</h2></body></html>", id="by heading"),
    ],
)
def test_the_page_for_addresses_that_do_not_exist_is_known_by_its_content(body: bytes) -> None:
    # The status is not asked: a page of this kind has been seen under 200 and under 404.
    with pytest.raises(NotFoundPage):
        read(body)


@pytest.mark.parametrize(
    "description",
    [
        "<p>Answers “Page not found” politely.</p>",
        "<h2>Page not found</h2><p>error 404</p>",
        "<p>Handle 404 and captcha errors. Verify you are human.</p>",
    ],
)
def test_a_description_that_mentions_a_missing_page_is_a_good_page(description: str) -> None:
    found = read(html_page(description, title="Page not found: error 404"))

    assert found.title == "Page not found: error 404"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"<!-- -->", "not HTML"),
        (b'<?xml version="1.0" encoding="utf-8"?><html></html>', "not HTML"),
        (challenge_page(), "without a template's description"),
        (gateway_page(502, "Bad Gateway"), "without a template's description"),
        (b'{"error": true, "statusCode": 500}', "cut short"),
        (html_page()[:150], "cut short"),
        (b"<html><body><p>Maintenance</p></body></html>", "without a template's description"),
        (
            f"<html><body>{chrome.testimonials()}{chrome.cookie_dialog()}</body></html>".encode(),
            "without a template's description",
        ),
    ],
)
def test_what_is_no_template_page_is_refused_with_the_reason(body: bytes, reason: str) -> None:
    with pytest.raises(BadContent, match=reason):
        read(body)


def test_the_page_of_another_template_is_refused() -> None:
    with pytest.raises(WrongItem, match="asked for template 1955, the answer speaks of 1954"):
        read(html_page(), asked="1955")


def test_the_address_it_came_from_counts_where_the_page_names_none() -> None:
    body = html_page(address="https://n8n.io/")

    assert read(body, url="https://n8n.io/workflows/1954-chat/").slug == "chat"
    with pytest.raises(WrongItem):
        read(body, url="https://n8n.io/workflows/1955-chat/")


def test_the_address_for_sharing_counts_where_there_is_no_canonical_one() -> None:
    address = b'<meta property="og:url" content="https://n8n.io/workflows/1955-x/">'
    body = html_page(address="").replace(b"<head>", b"<head>" + address)

    with pytest.raises(WrongItem):
        read(body)


def test_a_page_that_names_no_address_is_taken_for_what_was_asked() -> None:
    found = read(html_page(address="https://[n8n.io/"), url="http://[")

    assert (found.workflow_id, found.slug) == ("1954", None)


def test_the_whole_page_may_be_of_that_class() -> None:
    body = html_page().replace(b"<html>", b'<html class="section-creator-workflows">')

    assert read(body).text == "Chat with an agent."


def test_bytes_that_are_no_text_do_no_harm() -> None:
    body = html_page("<p>stray \udcff byte</p>".encode("utf-8", "surrogatepass").decode("latin-1"))

    assert read(body.replace(b"stray", b"stray \xff\x00")).text.startswith("stray \ufffd")


def test_elements_nested_without_end_do_no_harm() -> None:
    body = html_page("<div>" * 3_000 + "deep")

    try:
        found: Any = read(body)
    except UnreadableAnswer as refusal:
        found = refusal

    assert found is not None


MARKUP = st.lists(
    st.sampled_from(
        [
            "<html class='section-creator-workflows'>",
            "<section class='section-creator-workflows'>",
            "</section>",
            "<div class='description'>",
            "<p class='workflow-description'>",
            "</div>",
            "<body>",
            "</body>",
            "<h1>",
            "</h1>",
            "<title>",
            "</title>",
            "<a href='/creators/a/'>",
            "<a href='https://[/workflows/categories/x'>",
            "</a>",
            "<button>Buy for $5</button>",
            "<img src=x>",
            "<n8n-demo workflow='['>",
            "<link rel=canonical href='http://[x'>",
            "<meta property='og:url' content='/workflows/1954-x/'>",
            "<!--",
            "-->",
            "<?php ?>",
            "<![CDATA[",
            "<svg><title>",
            "<template>",
            "<pre>\n",
            "&#xD800;",
            "&#0;",
            "\x00",
            "Last update",
            "Page not found",
            "text",
            " ",
        ]
    ),
    max_size=30,
).map("".join)


@given(MARKUP)
def test_any_markup_is_read_or_refused(markup: str) -> None:
    try:
        found = read(markup.encode())
    except UnreadableAnswer:
        return

    assert found.workflow_id == "1954"
    assert "\x00" not in found.text


@given(st.binary())
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        read(body)
