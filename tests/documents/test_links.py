"""What a page links to is there."""

import re

from tests.documents.reading import PAGES, PROJECT

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
LINKS = [
    (page.relative_to(PROJECT), target)
    for page in [*PAGES, PROJECT / "ARCHITECTURE.md"]
    for target in LINK.findall(page.read_text())
    if "://" not in target
]


def test_every_link_leads_somewhere() -> None:
    assert len(LINKS) > 100
    assert [
        (page, target)
        for page, target in LINKS
        if not (PROJECT / page).parent.joinpath(target).exists()
    ] == []


def test_every_page_can_be_found_from_another() -> None:
    reached = {(PROJECT / page).parent.joinpath(target).resolve() for page, target in LINKS}
    folders = {one for one in reached if one.is_dir()}
    lost = [page for page in PAGES if page not in reached and page.parent not in folders]

    assert lost == [PROJECT / "README.md"]


def test_the_first_page_names_every_other_one_once() -> None:
    readme = (PROJECT / "README.md").read_text()
    listed = LINK.findall(readme.partition("## Read on")[2])

    assert len(listed) == len(set(listed))
    assert {PROJECT / target for target in listed} >= {
        page for page in PAGES if page.parent.parent.name == "docs" and page.name != "README.md"
    } - {page for page in PAGES if page.parent.name == "decisions"}
