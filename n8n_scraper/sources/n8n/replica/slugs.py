"""Makes the address of a template from its title, as the site does."""

import re
import unicodedata

_WORDS_FOR_SIGNS = str.maketrans({"&": "and", "%": "percent", "–": "-", "$": "dollar"})
_DELETED = re.compile(r"[^a-z0-9\s-]")
_GAPS = re.compile(r"[\s-]+")


def slugify(title: str) -> str:
    """Fold accents, spell out signs, delete the rest and join the words with hyphens."""
    spelled = title.translate(_WORDS_FOR_SIGNS)
    folded = unicodedata.normalize("NFKD", spelled) if not spelled.isascii() else spelled
    return _GAPS.sub("-", _DELETED.sub("", folded.lower()).strip()).strip("-")
