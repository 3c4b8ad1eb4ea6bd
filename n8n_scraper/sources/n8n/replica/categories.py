"""Lists the 31 categories of the site, each with its parent."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Category:
    """A category as the site knows it; ``parent`` is the name of another one."""

    id: int
    name: str
    icon: str
    parent: str | None = None

    @property
    def slug(self) -> str:
        """The last part of the category's address."""
        return self.name.lower().replace(" ", "-")


_PARENTS = (
    Category(25, "AI", "🤖"),
    Category(26, "Sales", "💰"),
    Category(28, "IT Ops", "🛠️"),
    Category(27, "Marketing", "📣"),
    Category(30, "Document Ops", "📄"),
    Category(50, "Other", "🧩"),
    Category(52, "Support", "🎧"),
)

_CHILDREN = (
    Category(47, "AI Chatbot", "💬", "AI"),
    Category(48, "AI RAG", "📚", "AI"),
    Category(49, "AI Summarization", "📝", "AI"),
    Category(51, "Multimodal AI", "🖼️", "AI"),
    Category(39, "CRM", "📇", "Sales"),
    Category(37, "Lead Generation", "🧲", "Sales"),
    Category(38, "Lead Nurturing", "🌱", "Sales"),
    Category(16, "DevOps", "⚙️", "IT Ops"),
    Category(5, "Engineering", "🔧", "IT Ops"),
    Category(29, "SecOps", "🛡️", "IT Ops"),
    Category(31, "Content Creation", "✍️", "Marketing"),
    Category(32, "Market Research", "🔎", "Marketing"),
    Category(33, "Social Media", "📱", "Marketing"),
    Category(35, "Document Extraction", "🗂️", "Document Ops"),
    Category(36, "File Management", "📁", "Document Ops"),
    Category(34, "Invoice Processing", "🧾", "Document Ops"),
    Category(44, "Crypto Trading", "🪙", "Other"),
    Category(17, "HR", "🧑‍💼", "Other"),
    Category(45, "Miscellaneous", "🎲", "Other"),
    Category(43, "Personal Productivity", "⏱️", "Other"),
    Category(46, "Project Management", "📋", "Other"),
    Category(42, "Internal Wiki", "📖", "Support"),
    Category(40, "Support Chatbot", "🙋", "Support"),
    Category(41, "Ticket Management", "🎫", "Support"),
)

CATEGORIES: dict[str, Category] = {
    category.name: category
    for category in sorted(_PARENTS + _CHILDREN, key=lambda category: category.name.lower())
}
CATEGORY_NAMES: tuple[str, ...] = tuple(CATEGORIES)


def with_children(names: str) -> frozenset[str]:
    """Return the categories a comma-separated filter means; a parent means its children too."""
    wanted = {name.strip().lower() for name in names.split(",")}
    return frozenset(
        category.name
        for category in CATEGORIES.values()
        if category.name.lower() in wanted or (category.parent or "").lower() in wanted
    )


def categories_answer() -> dict[str, Any]:
    """Build the answer of ``GET /api/templates/categories``."""
    return {"categories": [_entry(category) for category in CATEGORIES.values()]}


def _entry(category: Category) -> dict[str, Any]:
    parent = CATEGORIES[category.parent] if category.parent else None
    return {
        "id": category.id,
        "name": category.name,
        "displayName": None,
        "icon": category.icon,
        "parent": parent and {"id": parent.id, "name": parent.name, "icon": parent.icon},
    }
