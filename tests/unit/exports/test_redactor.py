"""What a template passes on its way out."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports.redactor import redactor
from tests.unit.exports.given import template

KEY = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z" * 2
LEAKING = template(description=f"Write {KEY} into the field.")


@pytest.mark.parametrize("redaction", ["off", "report"])
def test_a_template_leaves_as_it_is_unless_it_is_to_be_redacted(redaction: str) -> None:
    assert redactor(redaction)(LEAKING) is LEAKING


def test_a_redacted_template_leaves_without_its_secret_and_the_original_keeps_it() -> None:
    leaving = redactor("replace")(LEAKING)

    assert KEY not in str(leaving.description)
    assert "[REDACTED:" in str(leaving.description)
    assert KEY in str(LEAKING.description)


def test_another_word_is_refused() -> None:
    with pytest.raises(BadInput, match="REDACT is 'perhaps'; write off, report or replace"):
        redactor("perhaps")
