"""What a page shows of a stranger's Markdown."""

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.markup import parsed
from n8n_scraper.serve.pages.safe_markdown import LONGEST, as_html

RUNNING = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&#58;alert(1))",
    "<a href=' javascript:alert(1)'>x</a>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    "<style>*{background:url(//evil.example)}</style>",
    "<p style='position:fixed;inset:0' class='header' id='main'>x</p>",
    "<iframe src='//evil.example'></iframe><object data='x'></object><embed src='x'>",
    "<form action='//evil.example'><input name=token><button>x</button></form>",
    "<base href='//evil.example'><meta http-equiv=refresh content='0;url=//evil.example'>",
    "</div></main></body><script>alert(1)</script>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "![x](data:text/html,<script>alert(1)</script>)",
    "<table><tr><td background='//evil.example'>x</td></tr></table>",
    "<a href='//evil.example' target=_blank ping='//evil.example'>x</a>",
    "<video src='//evil.example' poster='//evil.example' autoplay></video>",
]
ALLOWED = {"href", "rel", "src", "alt", "start", "tabindex", "colspan", "rowspan"}
NEVER = {"script", "style", "iframe", "object", "embed", "form", "input", "button", "base", "meta"}
NEVER |= {"link", "svg", "math", "video", "audio", "noscript", "template"}


def dangers(shown: str) -> list[str]:
    """What of a piece of a page could run, be fetched by itself, or change what is around it."""
    elements = list(parsed(f"<main>{shown}</main>").iter("*"))
    found = [str(one.tag) for one in elements if one.tag in NEVER]
    for one in elements:
        found += [name for name in one.attrib if name not in ALLOWED]
        found += (
            [one.get("src")] if not one.get("src", "/pictures/").startswith("/pictures/") else []
        )
        scheme = urlsplit(one.get("href", "").strip().lower()).scheme
        found += [scheme] if scheme not in ("", "http", "https", "mailto") else []
    return found


def of_ours(url: str) -> str | None:
    return "/pictures/f00.png" if url == "https://x.example/a.png" else None


def test_what_is_written_is_shown() -> None:
    shown = as_html("A **bold** word, `code`, and a [link](https://x.example/).\n\n- one\n- two")

    assert "<strong>bold</strong>" in shown
    assert "<li>one</li>" in shown
    assert '<a href="https://x.example/" rel="nofollow noopener noreferrer">link</a>' in shown


@pytest.mark.parametrize("text", RUNNING)
def test_nothing_runs_and_nothing_leaves_its_place(text: str) -> None:
    assert dangers(as_html(f"Before\n\n{text}\n\nafter", of_ours)) == []
    assert dangers(as_html(f"Before {text} after", of_ours)) == []


def test_a_picture_that_we_have_is_shown_from_here_and_another_is_a_link() -> None:
    shown = as_html("![a map](https://x.example/a.png) ![a plan](https://x.example/b.png)", of_ours)

    assert '<img src="/pictures/f00.png" alt="a map">' in shown
    assert "Picture: a plan</a>" in shown
    assert shown.count("<img") == 1


def test_its_headings_stand_below_those_of_the_page_and_leave_none_out() -> None:
    shown = as_html("# One\n\n#### Deep\n\n## Two\n\n<h1>Three</h1>\n\n#\n\nend")

    assert re.findall(r"<(h\d)>(\w+)", shown) == [
        ("h3", "One"),
        ("h4", "Deep"),
        ("h4", "Two"),
        ("h3", "Three"),
    ]


def test_a_heading_of_which_nothing_is_left_is_none() -> None:
    assert "<h3" not in as_html("# <script>alert(1)</script>")


def test_a_link_without_a_word_is_named_by_where_it_leads() -> None:
    assert ">https://x.example/</a>" in as_html("[](https://x.example/)")


def test_what_is_too_long_is_cut_and_says_so() -> None:
    shown = as_html("word " * LONGEST)

    assert len(shown) < 2 * LONGEST
    assert "too long to be shown" in shown


@given(st.text(alphabet=st.sampled_from("<>/'\"= aimgscriptonl()[]!#&:;\n"), max_size=80))
def test_whatever_is_written_the_page_around_it_stays_whole(text: str) -> None:
    shown = as_html(text, of_ours)

    page = parsed(f"<main><section>{shown}</section><footer>end</footer></main>")
    assert dangers(shown) == []
    assert page.xpath("string(//main/footer)") == "end"
    assert not page.xpath("//footer/ancestor::section")
