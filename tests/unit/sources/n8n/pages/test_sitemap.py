"""The sitemap: an index, one flat file, or either gzipped; a torn one is refused."""

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.errors import BadContent, UnreadableAnswer
from n8n_scraper.policies.failure.body import BodyFacts, body_facts
from n8n_scraper.sources.n8n.pages.sitemap import (
    Bounds,
    Entry,
    SitemapPage,
    read_sitemap,
    read_template_address,
)

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def flat(*addresses: str, attributes: str = NAMESPACE) -> bytes:
    entries = "".join(f"<url><loc>{address}</loc></url>" for address in addresses)
    return f"{HEAD}<urlset {attributes}>{entries}</urlset>".encode()


def index(*addresses: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f"{HEAD}<sitemapindex {NAMESPACE}>{entries}</sitemapindex>".encode()


TWO = flat("https://n8n.io/workflows/1-a/", "https://n8n.io/workflows/2-b/")
TWO_ENTRIES = SitemapPage(entries=[Entry("1", "a"), Entry("2", "b")])


def test_a_flat_file_lists_templates_in_its_order() -> None:
    assert read_sitemap(TWO) == TWO_ENTRIES


def test_an_index_lists_the_files_that_may_list_templates() -> None:
    found = read_sitemap(
        index(
            "https://n8n.io/sitemap-pages.xml",
            "https://n8n.io/sitemap-workflows.xml",
            "https://n8n.io/sitemap-workflows-2.xml.gz",
        )
    )

    assert found == SitemapPage(
        children=[
            "https://n8n.io/sitemap-workflows.xml",
            "https://n8n.io/sitemap-workflows-2.xml.gz",
        ]
    )


@pytest.mark.parametrize(
    ("body", "page"),
    [
        (gzip.compress(TWO), TWO_ENTRIES),
        (gzip.compress(index("https://n8n.io/sitemap-workflows.xml")), None),
        (TWO.replace(NAMESPACE.encode(), b""), TWO_ENTRIES),  # no namespace
        (TWO.replace(b"<loc>", b"\n <loc>\n  ").replace(b"</loc>", b"\n</loc>"), TWO_ENTRIES),
        (TWO.replace(b"</loc>", b"</loc><lastmod>2026-01-01</lastmod>"), TWO_ENTRIES),
        (TWO.replace(b"<loc>", b"<!-- once more --><loc>"), TWO_ENTRIES),
        (flat(), SitemapPage()),
        (flat(""), SitemapPage()),
    ],
)
def test_a_sitemap_is_read_in_every_form(body: bytes, page: SitemapPage | None) -> None:
    expected = page or SitemapPage(children=["https://n8n.io/sitemap-workflows.xml"])

    assert read_sitemap(body) == expected


def test_pictures_of_a_page_are_not_pages() -> None:
    attributes = f'{NAMESPACE} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    picture = "</loc><image:image><image:loc>https://n8n.io/a.png</image:loc></image:image><loc>"
    body = flat("https://n8n.io/workflows/1-a/" + picture, attributes=attributes)

    assert read_sitemap(body).entries == [Entry("1", "a")]


@pytest.mark.parametrize(
    ("address", "entry"),
    [
        ("https://n8n.io/workflows/1954-ai-agent-chat/", Entry("1954", "ai-agent-chat")),
        ("https://n8n.io/workflows/1954-ai-agent-chat", Entry("1954", "ai-agent-chat")),
        ("https://n8n.io/workflows/1954/", Entry("1954", None)),  # renders without a slug too
        ("https://n8n.io/workflows/1954", Entry("1954", None)),
        ("https://n8n.io/workflows/1954-/", Entry("1954", None)),  # a title of emoji only
        ("https://n8n.io/workflows/1954-a/?utm_source=x#top", Entry("1954", "a")),
        ("/workflows/1954-a/", Entry("1954", "a")),
        ("http://127.0.0.1:8899/workflows/1954-a/", Entry("1954", "a")),
        ("https://n8n.io/workflows/1954-gr%C3%BC%C3%9Fe/", Entry("1954", "gr%C3%BC%C3%9Fe")),
        ("https://n8n.io/workflows/", None),
        ("https://n8n.io/workflows/categories/ai/", None),
        ("https://n8n.io/workflows/0-zero/", None),
        ("https://n8n.io/workflows/007-bond/", None),
        ("https://n8n.io/workflows/12abc/", None),
        ("https://n8n.io/workflows/1954-a/edit/", None),
        ("https://n8n.io/integrations/1954-a/", None),
        ("https://n8n.io/de/workflows/1954-a/", None),
        ("https://[n8n.io/workflows/1954-a/", None),  # no address at all
        ("", None),
    ],
)
def test_only_the_address_of_a_template_is_one(address: str, entry: Entry | None) -> None:
    assert read_template_address(address) == entry


def test_an_address_that_is_none_does_not_hide_the_others() -> None:
    body = flat("http://[x/workflows/3-c/", "https://n8n.io/workflows/1-a/")

    assert read_sitemap(body).entries == [Entry("1", "a")]


def test_an_index_entry_that_is_no_address_is_passed_over() -> None:
    assert read_sitemap(index("http://[x/sitemap-workflows.xml")) == SitemapPage()


@pytest.mark.parametrize("bytes_missing", [1, 9, 20, 60, len(TWO) - 1, len(TWO)])
def test_a_torn_sitemap_is_refused(bytes_missing: int) -> None:
    with pytest.raises(BadContent, match="not a whole XML file"):
        read_sitemap(TWO[: len(TWO) - bytes_missing])


@pytest.mark.parametrize("bytes_missing", [1, 8, 20])
def test_a_torn_gzip_file_is_refused(bytes_missing: int) -> None:
    with pytest.raises(BadContent, match="cut short"):
        read_sitemap(gzip.compress(TWO)[:-bytes_missing])


def test_a_damaged_gzip_file_is_refused() -> None:
    body = bytearray(gzip.compress(TWO))
    body[20] ^= 0xFF

    with pytest.raises(BadContent, match="damaged gzip"):
        read_sitemap(bytes(body))


def test_a_file_that_unpacks_to_far_too_much_is_refused() -> None:
    with pytest.raises(BadContent, match="far too large"):
        read_sitemap(gzip.compress(TWO + b" " * 1_000), Bounds(unpacked_bytes=1_000))


@pytest.mark.parametrize(
    ("body", "bounds", "words"),
    [
        (flat(*["https://n8n.io/workflows/1-a/"] * 4), Bounds(addresses=3), "more than 3 addr"),
        (flat().replace(b"></", b">" + b"<a/>" * 30 + b"</"), Bounds(elements=20), "20 elements"),
        (b"<a>" * 30, Bounds(), "nested too deeply"),
        (b"<urlset " + b"a" * 200_000, Bounds(markup_bytes=1_000), "a tag of more than 1,000"),
        (b"<urlset><!--" + b"x" * 200_000, Bounds(markup_bytes=1_000), "a tag of more than 1,000"),
    ],
)
def test_a_sitemap_beyond_a_bound_is_refused(body: bytes, bounds: Bounds, words: str) -> None:
    with pytest.raises(BadContent, match=words):
        read_sitemap(body, bounds)


def test_an_address_that_is_too_long_is_passed_over() -> None:
    body = flat("https://n8n.io/workflows/1-" + "a" * 3_000, "https://n8n.io/workflows/2-b/")

    assert read_sitemap(body).entries == [Entry("2", "b")]


def test_a_bomb_is_read_in_little_memory() -> None:
    # Given 8 MB of empty elements that came as 8 kB
    bomb = gzip.compress(b"<urlset>" + b"<a/>" * 2_000_000)

    # When it is read
    tracemalloc.start()
    with pytest.raises(BadContent, match="elements"):
        read_sitemap(bomb, Bounds(elements=100_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    # Then no tree of it was built
    assert peak < 5_000_000


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><html><body><h1>Ooops...</h1></body></html>",
        b"<rss><channel/></rss>",
        b"<html/>",
    ],
)
def test_what_is_no_sitemap_is_refused(body: bytes) -> None:
    with pytest.raises(BadContent):
        read_sitemap(body)


@pytest.mark.parametrize("encoding", ["none-such", "utf-7", "rot13", "undefined", "punycode"])
def test_a_sitemap_in_an_odd_encoding_is_refused(encoding: str) -> None:
    body = f'<?xml version="1.0" encoding="{encoding}"?><urlset/>'.encode()

    assert body_facts(body, {}, expects="xml") == BodyFacts()
    with pytest.raises(BadContent, match="an encoding that is not read"):
        read_sitemap(body)


def test_entities_that_multiply_are_harmless() -> None:
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10))
    body = (
        f'<!DOCTYPE urlset [<!ENTITY e0 "n8n">{entities}]><urlset {NAMESPACE}>'
        "<url><loc>https://n8n.io/workflows/1-&e9;/</loc></url></urlset>"
    ).encode()

    with pytest.raises(BadContent):
        read_sitemap(body)


def test_an_entity_brings_in_no_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret"
    secret.write_text("hunter2")
    body = (
        f'<!DOCTYPE urlset [<!ENTITY file SYSTEM "{secret.as_uri()}">]><urlset>'
        "<url><loc>https://n8n.io/workflows/1-&file;/</loc></url></urlset>"
    ).encode()

    assert read_sitemap(body).entries == [Entry("1", None)]


@given(st.binary() | st.binary().map(gzip.compress) | st.binary().map(b"\x1f\x8b".__add__))
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        read_sitemap(body)


@given(st.text(st.characters()))
def test_any_text_is_an_address_or_none(text: str) -> None:
    entry = read_template_address("https://n8n.io/workflows/1" + text)

    assert entry is None or entry.workflow_id.startswith("1")


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cc",)))))
def test_any_addresses_make_a_sitemap(texts: list[str]) -> None:
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in texts]

    try:
        read_sitemap(flat(*escaped))
        read_sitemap(index(*escaped))
    except UnreadableAnswer:
        return


@given(
    st.sampled_from([TWO, index("https://n8n.io/sitemap-workflows.xml")]),
    st.lists(
        st.tuples(
            st.integers(0, len(TWO)),
            st.integers(0, 30),
            st.binary(max_size=8)
            | st.sampled_from(
                [b"<!DOCTYPE a [", b"&a;", b"]>", b"<![CDATA[", b"<?x", b'encoding="']
            )
            | st.sampled_from([b"utf-7", b"utf-16", b"gbk", b"\xff\xfe", b"xmlns:a=", b"<a/>"]),
        ),
        max_size=6,
    ),
    st.booleans(),
)
def test_a_broken_sitemap_is_read_or_refused(
    body: bytes, breaks: list[tuple[int, int, bytes]], packed: bool
) -> None:
    for start, length, piece in breaks:
        body = body[:start] + piece + body[start + length :]
    body = gzip.compress(body) if packed else body

    body_facts(body, {}, expects="xml")
    try:
        read_sitemap(body)
    except UnreadableAnswer:
        return
