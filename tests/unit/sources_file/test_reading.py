import re
from pathlib import Path

import pytest

from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.sources import all_sources
from n8n_scraper.sources.events.source import SOURCE as EVENTS
from n8n_scraper.sources.hk_events.source import SOURCE as HK_EVENTS
from n8n_scraper.sources_file.reading import DEFAULT, BadSources, read_sources

GOOD = f"""
[sources.city_hall]
title = "City Hall"
address = "https://city.example/open-data"
kind = "{HK_EVENTS.name}"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sources.toml"


def faults(file: Path, text: str) -> list[str]:
    file.write_text(text)
    with pytest.raises(BadSources) as refused:
        read_sources(file)
    return [line.removeprefix(f"{file}:") for line in refused.value.lines]


def test_the_file_of_the_package_is_in_order():
    sources = read_sources()

    assert {one.kind for one in sources} <= {source.name for source in all_sources()}
    assert sources.named("hk_events").schedule == 4 * 3600


def test_the_file_of_the_package_has_the_ten_sites_of_events_at_their_priorities():
    of_pages = [one for one in read_sources() if one.kind == "events"]
    named = {1: [], 2: []}
    for one in of_pages:
        named[one.priority].append(one.name)

    assert named == {
        1: ["mgto", "broadway", "galaxy", "venetian", "londoner", "timable"],
        2: ["studio_city", "mgm", "asiaworld_expo", "hk_coliseum"],
    }
    assert all(one.required and one.rate <= 1 and one.tools == "auto" for one in of_pages)


def test_an_entry_of_five_lines_has_all_the_rest_by_default(file):
    file.write_text(GOOD)

    [entry] = read_sources(file)

    assert (entry.name, entry.priority, entry.rate) == ("city_hall", 2, 0.5)
    assert entry.schedule is None
    assert entry.tools == (Tool.HTTP,)
    assert entry.steps == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ratee = 1", "6: sources.city_hall.ratee: there is no such key; is it rate?"),
        ("colour = 'x'", "6: sources.city_hall.colour: there is no such key; there are: title, "),
        ("name = 'x'", "6: sources.city_hall.name: there is no such key; there are: "),
        ("priority = 4", "6: sources.city_hall.priority is 4; write 1, 2 or 3."),
        ("priority = true", "6: sources.city_hall.priority is true; write 1, 2 or 3."),
        ('schedule = "2 hours"', '6: sources.city_hall.schedule is "2 hours"; write a time '),
        ("schedule = 2", "6: sources.city_hall.schedule is 2; write a time such as "),
        ('schedule = "0s"', '6: sources.city_hall.schedule is "0s"; write a time such as '),
        ("rate = 0", "6: sources.city_hall.rate is 0; write a number of requests a second, "),
        ("rate = inf", "6: sources.city_hall.rate is Infinity; write a number of requests "),
        ("at_least = -1", "6: sources.city_hall.at_least is -1; write a whole number, 0 or more."),
        ("required = {title = 2}", "6: sources.city_hall.required.title is 2; write shares "),
        (
            "required = {startt = 1.0}",
            "6: sources.city_hall.required.startt: there is no such field of events; is it start?",
        ),
        (
            "[sources.city_hall.timeouts]\nhttpp = 3",
            "7: sources.city_hall.timeouts.httpp: there is no such tool; is it http?",
        ),
        ("timeouts = {http = '3'}", '6: sources.city_hall.timeouts.http is "3"; write seconds '),
        (
            'tools = ["http", "ftp"]',
            '6: sources.city_hall.tools is ["http", "ftp"]; write "auto", or a list ',
        ),
        ("tools = []", "6: sources.city_hall.tools is []; write "),
        (
            'tools = ["http", "http"]',
            '6: sources.city_hall.tools is ["http", "http"]; write "auto", or',
        ),
        ('timezone = "MYT"', '6: sources.city_hall.timezone is "MYT"; write the name of a time'),
        ('currency = "mop"', '6: sources.city_hall.currency is "mop"; write three capital '),
        ("wait_for = false", "6: sources.city_hall.wait_for is false; write a selector "),
        ("scroll = 101", "6: sources.city_hall.scroll is 101; write a whole number from 0 to 100."),
        ("most_pages = 0", "6: sources.city_hall.most_pages is 0; write a whole number from 1 on."),
        ('click = "#more"', '6: sources.city_hall.click is "#more"; write a list of selectors, '),
        ("arguments = {mode = 1}", "6: sources.city_hall.arguments.mode is 1; write texts by "),
        (
            'selectors = {title = "h3["}',
            '6: sources.city_hall.selectors.title is "h3[", which is no CSS selector: ',
        ),
        (
            'follow = "a"',
            "6: sources.city_hall.follow: hk_events has a spider of its own, which does not read "
            "it; leave it out.",
        ),
    ],
)
def test_a_fault_costs_a_line_with_its_place_and_what_to_write(file, line, said):
    told = faults(file, f"{GOOD}{line}\n")

    assert told[0].startswith(said)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("title", '2: sources.city_hall.title is missing; write its name, as in "City Hall".'),
        ("address", "2: sources.city_hall.address is missing; write an address such as "),
        ("kind", "2: sources.city_hall.kind is missing; write the name of a source, "),
    ],
)
def test_what_must_be_there_is_missed(file, key, said):
    without = "\n".join(line for line in GOOD.split("\n") if not line.startswith(key))

    [told] = faults(file, without)

    assert told.startswith(said)


def test_all_faults_are_told_at_once_in_the_order_of_the_file(file):
    told = faults(file, f"speed = 1\n{GOOD}priority = 0\nrate = -1\n[sources.other]\n")

    assert [line.partition(":")[0] for line in told] == ["1", "7", "8", "9", "9", "9"]


OF_PAGES = f"{GOOD.replace('hk_events', EVENTS.name)}timezone = 'Asia/Macau'\n"


def test_a_site_of_pages_takes_what_pages_need(file):
    file.write_text(f"{OF_PAGES}selectors = {{image = 'img@data-src'}}\nfollow = 'a.more'\n")

    [entry] = read_sources(file)

    assert entry.selectors == {"image": "img@data-src"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            'tools = "auto"',
            "7: sources.city_hall.tools leaves a choice: name in `required` the fields by which it "
            "is made.",
        ),
        (
            "selectors = {titlee = 'h3'}",
            "7: sources.city_hall.selectors.titlee: there is no such field; is it title?",
        ),
        (
            "required = {prices = 0.5}",
            "7: sources.city_hall.required.prices: there is no such field of events; is it price?",
        ),
    ],
)
def test_what_no_page_could_be_read_by_is_refused(file, line, said):
    assert faults(file, f"{OF_PAGES}{line}\n") == [said]


def test_a_site_of_pages_says_in_which_timezone_its_times_are(file):
    [told] = faults(file, GOOD.replace("hk_events", "events"))

    assert told.startswith("2: sources.city_hall.timezone is missing; write the name of a timezone")


def test_a_source_that_is_asked_by_http_alone_has_no_time_for_browsers(file):
    [told] = faults(file, f"{GOOD}timeouts = {{playwright = 9}}\n")

    assert told == (
        "6: sources.city_hall.timeouts.playwright: hk_events is asked by http alone; leave it out."
    )


def test_a_table_that_is_none_is_refused(file):
    assert faults(file, f"{GOOD}[source.other]\n") == [
        "6: source: there is no such table; is it sources?"
    ]


@pytest.mark.parametrize("address", ["city.example", "ftp://city.example", "https://", "x:0", ""])
def test_what_is_no_address_is_refused(file, address):
    text = re.sub(r"https://\S+(?=\")", address, GOOD)

    [told] = faults(file, text)

    assert told.startswith("4: sources.city_hall.address is ")


def test_a_kind_that_is_no_source_is_told_with_the_nearest(file):
    [told] = faults(file, GOOD.replace("hk_events", "hk_event"))

    assert (
        told == '5: sources.city_hall.kind is "hk_event": there is no such source; is it hk_events?'
    )


def test_a_kind_that_is_no_source_is_told_beside_other_faults(file):
    told = faults(file, GOOD.replace("hk_events", "hk_event").replace("priority", "importance"))

    assert any("there is no such source; is it hk_events?" in line for line in told)


def test_two_sites_of_one_address_are_one_too_many(file):
    twice = GOOD + GOOD.replace("city_hall", "town_hall").replace("open-data", "open-data/")

    [told] = faults(file, twice)

    assert told == (
        "9: sources.town_hall.address is that of city_hall as well; give each address to one site."
    )


def test_a_name_that_no_command_could_take_is_refused(file):
    [told] = faults(file, GOOD.replace("city_hall", '"City Hall"'))

    assert told.startswith("2: sources.City Hall: write a name of small letters, digits, ")


def test_a_site_that_is_no_table_is_refused(file):
    [told] = faults(file, "[sources]\ncity_hall = 'https://city.example'\n")

    assert told.endswith("write a table, as in [sources.city_hall].")


@pytest.mark.parametrize("text", ["", "[sources]\n"])
def test_a_file_without_a_site_is_refused(file, text):
    [told] = faults(file, text)

    assert told.endswith("it names no site; write a table for each, as in [sources.city_hall].")


def test_broken_toml_is_told_with_its_line(file):
    [told] = faults(file, f"{GOOD}rate = \n")

    assert told == "6: this is no TOML: Invalid value (at line 6, column 8)."


def test_a_table_that_stands_there_twice_is_told(file):
    [told] = faults(file, GOOD + GOOD)

    assert "this is no TOML: Cannot declare" in told


def test_a_file_that_is_not_there_is_told(file):
    with pytest.raises(BadSources, match="there is no such file; SOURCES_FILE names it"):
        read_sources(file)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(BadSources, match="it cannot be read: Is a directory"):
        read_sources(tmp_path)


def test_what_is_not_utf_8_is_told(file):
    file.write_bytes(GOOD.encode() + b"# \xe9\n")

    with pytest.raises(BadSources, match="it is not written in UTF-8"):
        read_sources(file)


def test_the_file_of_the_package_does_without_a_source_that_has_no_folder(monkeypatch):
    only = [one for one in all_sources() if one.name == "hk_events"]
    monkeypatch.setattr("n8n_scraper.sources_file.reading.all_sources", lambda: only)

    sources = read_sources(DEFAULT)

    assert {one.kind for one in sources} == {"hk_events"}


def test_where_none_of_its_sources_is_left_the_file_of_the_package_names_no_site(monkeypatch):
    monkeypatch.setattr("n8n_scraper.sources_file.reading.all_sources", lambda: ())

    assert read_sources(DEFAULT).entries == ()
