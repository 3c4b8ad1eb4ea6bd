import json

import pytest
from parsel import Selector

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.oddities import index_of_oddity
from n8n_scraper.sources.n8n.replica.pages import template_page

SITE = "http://n8n.example"
CATALOGUE = Catalogue(200)


def page_of(template_id):
    return Selector(template_page(CATALOGUE, template_id, SITE))


def odd_id(name):
    return CATALOGUE.id_at(index_of_oddity(name))


@pytest.fixture(scope="module")
def page():
    return page_of(1)


def test_every_page_carries_the_truth():
    for number in CATALOGUE.ids:
        page, truth = page_of(number), CATALOGUE.truth(number)

        assert page.css("h1::text").get() == truth.title
        assert page.css("title::text").get() == f"{truth.title} | n8n workflow template"
        assert json.loads(page.css("n8n-demo::attr(workflow)").get()) == truth.workflow
        assert truth.last_update_text in page.css("aside p::text").getall()
        assert page.css("link[rel=canonical]::attr(href)").get() == SITE + truth.path


def test_the_head_describes_the_page_in_at_most_150_characters(page):
    summary = page.css("meta[name=description]::attr(content)").get()

    assert 20 < len(summary) <= 150
    assert page.css('meta[property="og:description"]::attr(content)').get() == summary


def test_parts_come_in_the_visible_order():
    text = template_page(CATALOGUE, 1, SITE)
    order = (
        "Back to Templates",
        "<h1",
        "<n8n-demo",
        "Use for free",
        "Created by",
        "Last update",
        "Categories",
        "Share",
        "workflow-description",
        "More templates by",
        "section-similar-workflows",
        "section-testimonials",
        "footer-main",
        "cookiescript",
        "__NUXT_DATA__",
    )

    places = [text.index(part) for part in order]

    assert places == sorted(places)


def test_the_description_block_holds_only_the_description(page):
    block = page.css(".workflow-description > div.content-styles")
    text = " ".join(block.css("::text").getall())

    assert "This workflow takes care of" in text
    assert "More templates by" not in text
    assert "cookie" not in text


def test_author_and_categories_are_links(page):
    truth = CATALOGUE.truth(1)

    creator = page.css('a[href^="/creators/"]')
    named = page.css('a[href^="/workflows/categories/"]::text').getall()

    assert creator.attrib["href"] == f"/creators/{truth.author['username']}/"
    assert named[: len(truth.categories)] == list(truth.categories)


def test_decoys_are_there_to_be_mistaken(page):
    assert page.css('footer a[href="https://www.youtube.com/c/n8n-io"]')
    assert page.css(".author::text, .author ::text").getall()
    assert "Strictly necessary" in page.css(".tag::text").getall()
    assert len(page.css("section.section-creator-workflows a.card")) == 3
    assert page.css('a[href*="youtube-to-blog-post"]')


def test_a_description_may_bring_another_heading_of_first_rank():
    page = page_of(odd_id("heading_in_description"))

    assert "Why?" in page.css("h1::text").getall()[1:]


def test_a_paid_page_offers_the_template_for_money():
    page = page_of(odd_id("paid_template"))

    assert page.css("a.button::text").get() == "Buy for $20"
    assert "Use for free" not in page.get()


def test_a_title_with_markup_signs_is_escaped():
    page = page_of(odd_id("title_with_markup_signs"))

    assert not page.css("wave")
    assert "<wave>" in page.css("h1::text").get()


def test_the_embedded_data_can_be_followed_to_the_template(page):
    flat = json.loads(page.css("#__NUXT_DATA__::text").get())
    root = flat[flat[0][1]]
    data = flat[flat[root["data"]][1]]
    template = flat[data["workflow-1"]]

    assert flat[template["name"]] == CATALOGUE.truth(1).title
    assert flat[template["url"]] == CATALOGUE.truth(1).path


def test_uploaded_images_get_their_address_on_the_page():
    number = next(number for number in CATALOGUE.ids if CATALOGUE.truth(number).images)
    page = page_of(number)

    shown = page.css(".workflow-description img::attr(src)").getall()

    assert {image["url"] for image in CATALOGUE.truth(number).images} <= set(shown)
