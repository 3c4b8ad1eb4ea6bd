"""Gives the wrong answers that only n8n.io could give: its challenge, its 404 page, a neighbour."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from n8n_scraper.sources.n8n.replica.error_pages import challenge_page, not_found_page
from n8n_scraper.testing.replica.answer import HTML, Answer

_CAPTCHA_SENTENCE = "It also keeps going where a site shows a captcha. "
_CAPTCHA_PLACES = (
    (b'"description":"', _CAPTCHA_SENTENCE.encode()),
    (b'"content":"', _CAPTCHA_SENTENCE.encode()),
    (b'<div class="content-styles">', f"<p>{_CAPTCHA_SENTENCE}</p>".encode()),
)
_ID_IN_PATH = re.compile(r"(?<=/)\d+(?=-|/?$|/?\?)")


def mention_captcha(answer: Answer) -> Answer:
    """Let a good answer speak of a captcha without showing one."""
    for place, words in _CAPTCHA_PLACES:
        if place in answer.body:
            return replace(answer, body=answer.body.replace(place, place + words, 1))
    return answer


def with_other_id(target: str, other_id: Callable[[int], int]) -> str:
    """Return the path of another template, so that its answer can be given for this one."""
    api_path = re.sub(r"^/workflows/(\d+)[^?]*", r"/workflows/\1/", target)
    return _ID_IN_PATH.sub(lambda found: str(other_id(int(found[0]))), api_path, count=1)


INSTEAD: Mapping[str, Callable[[Answer], Answer]] = {
    "captcha": lambda _answer: Answer(challenge_page(), HTML),
    "captcha_word": mention_captcha,
    "soft_404": lambda _answer: Answer(not_found_page(), HTML),
}
