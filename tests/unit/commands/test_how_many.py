"""Options of commands that say how many."""

import pytest

from n8n_scraper.commands.how_many import how_many


def test_a_number_is_read_and_nothing_is_none() -> None:
    assert how_many("--limit", "12", example=20) == 12
    assert how_many("--limit", None, example=20) is None


@pytest.mark.parametrize("typed", ["0", "-1", "ten", "1.5", "", "²", " 3"])
def test_what_is_no_number_from_one_on_is_refused_with_an_example(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        how_many("--limit", typed, example=20)

    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said == f"scrapy: --limit {typed}: write how many, as in --limit 20.\n"
