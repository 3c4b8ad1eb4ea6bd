"""What counts as wrong, and who is told."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.policies.alerts.alert_settings import AlertSettings

SLACK = "slack://tokenA/tokenB/tokenC/#channel"
MAIL = "mailto://ada:secret@example.org?to=a@example.org,b@example.org"


def read(**given: str) -> AlertSettings:
    return AlertSettings.from_settings(given)


def test_without_an_address_nobody_is_told() -> None:
    assert not read().in_use


@pytest.mark.parametrize("between", [" ", ",", ", ", "\n  "])
def test_addresses_stand_one_after_the_other_and_may_have_commas_in_them(between: str) -> None:
    assert [one.url for one in read(ALERT_URLS=between.join([MAIL, SLACK, MAIL])).addresses] == [
        MAIL,
        SLACK,
    ]


def test_nothing_of_an_address_is_shown_but_its_service() -> None:
    settings = read(ALERT_URLS=f"{SLACK} {MAIL}")

    shown = f"{settings!r} {[str(one) for one in settings.addresses]}"

    assert "slack://…" in shown
    assert not [part for part in ("token", "secret", "ada", "example") if part in shown]


@pytest.mark.parametrize("given", ["example.org/secret", f"{SLACK} x", "://secret"])
def test_what_is_no_address_costs_one_line_without_it(given: str) -> None:
    settings = {"ALERT_URLS": given}
    if given.endswith(" x"):  # it belongs to the address before it
        assert len(read(**settings).addresses) == 1
        return

    with pytest.raises(BadInput, match="number 1 is no address") as refusal:
        read(**settings)

    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "given", ["[1]", '{"n8n": 0.9}', '{"n8n": {"title": 2}}', '{"n8n": {"title": true}}', "x"]
)
def test_bars_are_shares_by_source_and_field(given: str) -> None:
    with pytest.raises(BadInput, match="ALERT_COVERAGE"):
        read(ALERT_COVERAGE=given)


def test_a_rate_of_errors_is_a_share() -> None:
    with pytest.raises(BadInput, match="ALERT_ERROR_RATE"):
        read(ALERT_ERROR_RATE="10")
