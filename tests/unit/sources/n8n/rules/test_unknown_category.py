"""A category that the site does not know."""

from n8n_scraper.sources.n8n.rules.unknown_category import words_for

NAMES = ["AI", "Lead Generation", "Lead Nurturing", "Sales"]


def test_what_is_near_is_named_first_and_then_all_that_there_are() -> None:
    assert words_for("Lead Generatoin", NAMES) == (
        "-a category='Lead Generatoin': the site lists no template of this category; "
        "is it Lead Generation? Its categories are: AI, Lead Generation, Lead Nurturing, Sales."
    )


def test_letter_case_is_no_difference() -> None:
    assert "is it Sales?" in words_for("SALEZ", NAMES)


def test_what_is_near_nothing_gets_the_list_alone() -> None:
    words = words_for("Xylophones", NAMES)

    assert "is it" not in words
    assert words.endswith("Its categories are: AI, Lead Generation, Lead Nurturing, Sales.")


def test_a_category_without_templates_is_not_taken_for_a_slip() -> None:
    assert words_for("sales", NAMES) == (
        "-a category='sales': the site lists no template of this category."
    )


def test_without_names_there_is_no_list() -> None:
    assert words_for("Sales", []).endswith("of this category.")
