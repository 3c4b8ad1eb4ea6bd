"""What a failed request says: the status it was answered with, or the words of its exception."""

from __future__ import annotations

from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure

from n8n_scraper.crawl.judgement import UnusableAnswer, judge
from n8n_scraper.policies.failure.category import Category, classify, speaks_of_no_word


def status_of(failure: Failure) -> int | None:
    """The status that the site answered with; None when there was no answer at all."""
    if isinstance(failure.value, HttpError):
        return failure.value.response.status
    return failure.value.status if isinstance(failure.value, UnusableAnswer) else None


def category_of(failure: Failure) -> Category:
    """Give the category of what happened, the same that every middleware saw."""
    problem = failure.value
    if isinstance(problem, UnusableAnswer):
        return problem.category
    if isinstance(problem, HttpError) and problem.response.request is not None:
        category = judge(problem.response.request, problem.response)
    else:
        category = classify(exception=problem)
    return category or Category.UNKNOWN


def is_unreached(failure: Failure) -> bool:
    """Whether no word came from the host."""
    return speaks_of_no_word(category_of(failure))


def words_of(failure: Failure) -> str:
    """Say in one line what happened."""
    if isinstance(failure.value, HttpError):
        return f"the site answered {failure.value.response.status}"
    words = " ".join(str(failure.value).split())
    return words[:300] or type(failure.value).__name__
