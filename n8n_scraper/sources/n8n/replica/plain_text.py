"""Strips Markdown the way the site's search does: roughly, leaving a few stars behind."""

import re

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"```.*?```", re.DOTALL), ""),
    (re.compile(r"\[?!\[[^\]]*\]\([^)]*\)(\]\([^)]*\))?"), ""),
    (re.compile(r"@?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"<[^>]+>"), ""),
    (re.compile(r"^#{1,6}\s*", re.MULTILINE), ""),
    # Only the opening stars of a list item's bold start go; this is how the real text looks.
    (re.compile(r"^[-*]\s+(\*\*)?", re.MULTILINE), ""),
    (re.compile(r"(?<!\w)\*\*([^*\n]+)\*\*"), r"\1"),
    (re.compile(r"`([^`]*)`"), r"\1"),
    (re.compile(r"\n{3,}"), "\n\n"),
)


def strip_markdown(markdown: str) -> str:
    """Return the text of some Markdown; link targets, images and code blocks are lost."""
    text = markdown
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.strip()
