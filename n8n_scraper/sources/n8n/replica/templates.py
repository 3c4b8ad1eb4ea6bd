"""Answers for one template, in every shape the site has for it."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from n8n_scraper.sources.n8n.replica.categories import CATEGORIES
from n8n_scraper.sources.n8n.replica.drafts import Draft, PlantedSecret
from n8n_scraper.sources.n8n.replica.layouts import Edge
from n8n_scraper.sources.n8n.replica.node_kinds import KIND_BY_TYPE, listed_entries
from n8n_scraper.sources.n8n.replica.plain_text import strip_markdown
from n8n_scraper.sources.n8n.replica.profiles import Author, Profile

Answer = dict[str, Any]

_UPDATED_AT = "2026-09-{day:02d}T08:00:00.000Z"


@dataclass(frozen=True, slots=True)
class Truth:
    """What an extractor must find in the answers for one template."""

    id: int
    slug: str
    path: str
    title: str
    description: str
    author: Answer
    categories: tuple[str, ...]
    created_at: str
    last_update_text: str
    views: int
    recent_views: int
    price: int | None
    purchase_url: str | None
    workflow: Answer
    node_count: int
    note_count: int
    node_types: dict[str, int]
    edges: frozenset[Edge]
    dangling_edges: frozenset[Edge]
    images: tuple[Answer, ...]
    videos: frozenset[str]
    secrets: tuple[PlantedSecret, ...]
    oddity: str | None

    @property
    def connection_count(self) -> int:
        """How many true edges there are; an edge to a missing node is not one."""
        return len(self.edges)


@dataclass(frozen=True, slots=True)
class Template:
    """One template of the catalogue. Its answers share data: read them, do not change them."""

    draft: Draft
    revision: int
    oddity: str | None

    @property
    def profile(self) -> Profile:
        """Title, author, categories and the like."""
        return self.draft.profile

    @property
    def id(self) -> int:
        """The number in the address."""
        return self.profile.id

    @property
    def title(self) -> str:
        """The name of the template, as the site gives it."""
        return self.profile.title

    @property
    def slug(self) -> str:
        """The part of the address after the id."""
        return self.profile.slug

    @property
    def path(self) -> str:
        """The canonical address without the host."""
        return self.profile.path

    @property
    def workflow(self) -> Answer:
        """The importable JSON."""
        return self.draft.workflow

    @property
    def last_update_text(self) -> str:
        """The relative date as the page shows it."""
        if self.revision:
            return f"Last update {self.revision + 1} days ago"
        months = self.id % 22
        return f"Last update {months} months ago" if months > 1 else "Last update a month ago"

    def detail(self) -> Answer:
        """Build the answer of ``GET /api/templates/workflows/{id}``."""
        profile, draft = self.profile, self.draft
        inner: Answer = {
            "id": profile.id,
            "name": profile.title,
            "views": profile.views,
            "recentViews": profile.recent_views,
            "totalViews": profile.views,
            "createdAt": profile.created_at,
            "description": draft.description.markdown,
            "workflow": draft.workflow,
            "lastUpdatedBy": 29,
            "workflowInfo": self._workflow_info(),
            "status": "published",
            "user": _author_of_detail(profile.author),
            "nodes": listed_entries(set(self._types())),
            "categories": _categories(profile),
            "image": draft.description.images,
        }
        inner.update(draft.detail_changes)
        return {"workflow": {k: v for k, v in inner.items() if k not in draft.detail_without}}

    def import_answer(self) -> Answer:
        """Build the answer of ``GET /api/workflows/templates/{id}``."""
        return {"id": self.id, "name": self.title, "workflow": self.workflow}

    def strapi(self) -> Answer:
        """Build the answer of ``GET /api/workflows/{id}``."""
        profile = self.profile
        attributes = {
            "name": profile.title,
            "description": self.draft.description.markdown,
            "workflow": self.workflow,
            "workflowInfo": self._workflow_info(),
            "createdAt": profile.created_at,
            "updatedAt": _UPDATED_AT.format(day=min(30, 1 + self.revision)),
            "views": profile.views,
            "recentViews": profile.recent_views,
            "hidden": False,
            "username": profile.author.username,
            "status": "published",
            "price": profile.price or 0,
            "difficulty": None,
            "readyToDemo": False,
        }
        return {"data": {"id": self.id, "attributes": attributes}, "meta": {}}

    def search_item(self) -> Answer:
        """Build the entry of a search page: text stripped, lists as JSON strings."""
        profile = self.profile
        item: Answer = {"id": self.id, "name": self.title, "totalViews": profile.views}
        if profile.price is not None:
            item["price"] = profile.price
        types = {name for name in self._types() if not _is_core(name)}
        return item | {
            "purchaseUrl": profile.purchase_url,
            "user": _author_of_search(profile.author),
            "description": strip_markdown(self.draft.description.markdown),
            "createdAt": profile.created_at,
            "nodes": listed_entries(types),
        }

    def by_id(self) -> Answer:
        """Build the answer of the site's own ``GET /api/workflows/by-id/{id}``."""
        detail = self.detail()["workflow"]
        shared = ("id", "name", "views", "description", "categories", "user")
        return {key: detail[key] for key in shared} | {
            "nodes": [
                {"id": entry["id"], "url": f"/integrations/{KIND_BY_TYPE[entry['name']].slug}/"}
                for entry in detail["nodes"]
            ],
            "usedCredentials": [],
            "communityNodes": [],
            "nonNativeNodes": [],
            "image": detail["image"],
            "slug": self.slug,
            "url": self.path,
        }

    def truth(self) -> Truth:
        """Tell what an extractor must find."""
        profile, draft = self.profile, self.draft
        return Truth(
            id=self.id,
            slug=self.slug,
            path=self.path,
            title=self.title,
            description=draft.description.markdown,
            author=_author_of_detail(profile.author),
            categories=profile.categories,
            created_at=profile.created_at,
            last_update_text=self.last_update_text,
            views=profile.views,
            recent_views=profile.recent_views,
            price=profile.price,
            purchase_url=profile.purchase_url,
            workflow=self.workflow,
            node_count=len(draft.steps),
            note_count=len(draft.notes),
            node_types=dict(Counter(self._types())),
            edges=frozenset(draft.edges),
            dangling_edges=frozenset(draft.dangling),
            images=tuple(draft.description.images),
            videos=frozenset(draft.description.videos + draft.note_videos),
            secrets=tuple(draft.secrets),
            oddity=self.oddity,
        )

    def _types(self) -> list[str]:
        return [node["type"] for node in self.draft.nodes]

    def _workflow_info(self) -> Answer:
        counts = Counter(self._types())
        types = {name: {"count": count} for name, count in counts.items()}
        return {"nodeCount": len(self.draft.nodes), "nodeTypes": types}


def _is_core(node_type: str) -> bool:
    kind = KIND_BY_TYPE.get(node_type)
    return kind is None or kind.is_core or kind.role == "trigger"


def _categories(profile: Profile) -> list[Answer]:
    return [{"id": CATEGORIES[name].id, "name": name} for name in profile.categories]


def _author_of_detail(author: Author) -> Answer:
    return {
        "name": author.name,
        "username": author.username,
        "bio": author.bio,
        "verified": author.verified,
        "links": list(author.links),
        "avatar": author.avatar,
    }


def _author_of_search(author: Author) -> Answer:
    written = _author_of_detail(author)
    written.update(bio=author.bio or "", links=json.dumps(list(author.links)))
    return {"id": author.id} | written
