import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources_file.durations import in_words, seconds_of


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("2h", 7200), ("1h30m", 5400), ("1.5d", 129600)],
)
def test_a_time_is_read_in_its_units(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "2", "h", "2 h", "-2h", "2h,", "0s", "two hours", "2H"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError, match=r"^"):
        seconds_of(text)


@given(st.integers(1, 10**7))
def test_whole_seconds_are_read_back_as_they_were_written(seconds):
    assert seconds_of(in_words(seconds)) == seconds
