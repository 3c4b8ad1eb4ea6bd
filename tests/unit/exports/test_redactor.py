"""What a template passes on its way out."""

import pytest

from n8n_scraper.exports.redactor import redactor
from n8n_scraper.policies.safety.redaction import Redaction
from n8n_scraper.sources.n8n.rules.secrets import KEPT
from tests.unit.exports.given import template

KEY = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z" * 2
LEAKING = template(description=f"Write {KEY} into the field.")


@pytest.mark.parametrize("redaction", [Redaction.OFF, Redaction.REPORT])
def test_a_template_leaves_as_it_is_unless_it_is_to_be_redacted(redaction: Redaction) -> None:
    assert redactor(redaction, KEPT)(LEAKING) is LEAKING


def test_a_redacted_template_leaves_without_its_secret_and_the_original_keeps_it() -> None:
    leaving = redactor(Redaction.REPLACE, KEPT)(LEAKING)

    assert KEY not in str(leaving.description)
    assert "[REDACTED:" in str(leaving.description)
    assert KEY in str(LEAKING.description)
