"""One setting read as what it stands for."""

from __future__ import annotations

from enum import StrEnum

import pytest

from n8n_scraper import settings as project
from n8n_scraper.core import typed_settings as read
from n8n_scraper.core.errors import BadInput


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


def test_a_setting_that_a_project_does_not_have_holds_what_ours_has() -> None:
    assert read.text({}, "DATABASE_URL") == project.DATABASE_URL


def test_what_nobody_has_is_an_empty_text() -> None:
    assert read.text({}, "NOBODYS") == ""


@pytest.mark.parametrize(("given", "value"), [("2.5", 2.5), (3, 3.0), ("0", 0.0), ("1e3", 1000.0)])
def test_a_number_is_read_from_text_or_from_a_number(given: object, value: float) -> None:
    assert read.seconds({"X": given}, "X") == value


@pytest.mark.parametrize("given", ["-1", "soon", "nan", "inf", "", [], "9" * 400])
def test_a_number_of_seconds_is_none_of_these(given: object) -> None:
    with pytest.raises(BadInput, match=r"^X is .*; write a number of seconds, 0 or more\.$"):
        read.seconds({"X": given}, "X")


def test_a_time_may_have_no_end_where_that_makes_sense() -> None:
    assert read.seconds({"X": "inf"}, "X", most=float("inf")) == float("inf")


@pytest.mark.parametrize("given", ["-0.1", "1.1", "10 %", "nan"])
def test_a_share_is_a_part_of_one(given: str) -> None:
    with pytest.raises(BadInput, match=r"write a share from 0 to 1, as in 0\.1"):
        read.share({"X": given}, "X")


@pytest.mark.parametrize("given", ["0", "2.5", "many", "", "inf", None])
def test_a_whole_number_has_a_least(given: object) -> None:
    with pytest.raises(BadInput, match=r"write a whole number from 1 on"):
        read.whole({"X": given}, "X")


@pytest.mark.parametrize(
    ("given", "on"),
    [("1", True), ("True", True), (True, True), (1, True), ("0", False), ("false", False)],
)
def test_a_switch_is_written_in_many_ways(given: object, on: bool) -> None:
    assert read.switch({"X": given}, "X") is on


@pytest.mark.parametrize("given", ["maybe", "", "yes"])
def test_a_word_is_no_switch(given: str) -> None:
    with pytest.raises(BadInput, match=r"write True or False"):
        read.switch({"X": given}, "X")


def test_a_choice_is_refused_with_what_there_is() -> None:
    assert read.choice({"X": "red"}, "X", Colour) is Colour.RED
    with pytest.raises(BadInput, match=r"^X is 'pink'; write red, green or blue\.$"):
        read.choice({"X": "pink"}, "X", Colour)


@pytest.mark.parametrize("given", ["de, pt-BR ,,en", ["de", "pt-BR", "en"]])
def test_a_list_is_read_with_its_commas(given: object) -> None:
    assert read.listed({"X": given}, "X") == ["de", "pt-BR", "en"]


@pytest.mark.parametrize("given", ['{"a": 1}', {"a": 1}])
def test_a_table_is_read_from_json(given: object) -> None:
    assert read.table({"X": given}, "X") == {"a": 1}


@pytest.mark.parametrize("given", ["{", "[1]", "3"])
def test_what_is_no_table_is_refused(given: str) -> None:
    with pytest.raises(BadInput, match=r"write a JSON object"):
        read.table({"X": given}, "X")
