"""Invents the catalogue: the same templates for the same seed, made when asked for."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from random import Random
from typing import overload

from n8n_scraper.sources.n8n.replica.categories import with_children
from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.sources.n8n.replica.descriptions import video_id, write_description
from n8n_scraper.sources.n8n.replica.drafts import Draft
from n8n_scraper.sources.n8n.replica.layouts import Edge
from n8n_scraper.sources.n8n.replica.odd_secrets import add_look_alikes
from n8n_scraper.sources.n8n.replica.oddities import (
    DRAFT_ODDITY,
    PROFILE_ODDITY,
    SLIP,
    oddity_at,
    slip_at,
)
from n8n_scraper.sources.n8n.replica.profiles import Profile, sketch_profile
from n8n_scraper.sources.n8n.replica.templates import Template, Truth
from n8n_scraper.sources.n8n.replica.workflows import draw_size, draw_workflow

DEFAULT_TEMPLATES = 200
DEFAULT_SEED = 7

_TEMPLATES_IN_MEMORY = 256
_PROFILES_IN_MEMORY = 20_000
_STALE_SHARE = 0.0045
_FEWEST_STALE = 3
_VIDEO_SHARE = 0.078
_VIDEO_ONLY_IN_NOTE, _VIDEO_IN_BOTH = 0.24, 0.56
_LEAST_NODES_OF_ODD_ONES = 9

NO_CHANGES = Changes()


class UnknownTemplateError(KeyError):
    """There is no such template; raised by ``Catalogue``, answered with 404 by the server."""


class Ids(Sequence[int]):
    """The ids of the catalogue in order: growing, with holes, computed and never stored."""

    def __init__(self, total: int) -> None:
        self._total = total

    def __len__(self) -> int:
        return self._total

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        places = range(self._total)[place]
        if isinstance(places, range):
            return [id_at(index) for index in places]
        return id_at(places)

    def __contains__(self, template_id: object) -> bool:
        return isinstance(template_id, int) and self._holds(template_id)

    def __iter__(self) -> Iterator[int]:
        return map(id_at, range(self._total))

    def _holds(self, template_id: int) -> bool:
        index = _index_at_or_after(template_id)
        return 0 <= index < self._total and id_at(index) == template_id


def id_at(index: int) -> int:
    """Return the id at a place: five ids out of eight are taken."""
    return 1 + index * 8 // 5


def _index_at_or_after(template_id: int) -> int:
    return -((1 - template_id) * 5 // 8)


class Catalogue:
    """All templates of the stand-in, drawn from a seed."""

    def __init__(
        self,
        templates: int = DEFAULT_TEMPLATES,
        seed: int = DEFAULT_SEED,
        changes: Changes = NO_CHANGES,
    ) -> None:
        self.templates = templates
        self.seed = seed
        self.changes = changes
        self.all_ids = Ids(templates + changes.added)
        self.template = lru_cache(_TEMPLATES_IN_MEMORY)(self._make_template)
        self.profile = lru_cache(_PROFILES_IN_MEMORY)(self._make_profile)

    def __len__(self) -> int:
        return len(self.all_ids) - sum(gone in self.all_ids for gone in self.changes.removed)

    def __contains__(self, template_id: object) -> bool:
        return template_id in self.all_ids and template_id not in self.changes.removed

    def __getitem__(self, template_id: int) -> Template:
        if template_id not in self:
            raise UnknownTemplateError(template_id)
        return self.template(template_id)

    @cached_property
    def ids(self) -> Sequence[int]:
        """The ids of the published templates, in order."""
        if not self.changes.removed:
            return self.all_ids
        return [number for number in self.all_ids if number not in self.changes.removed]

    @cached_property
    def stale_ids(self) -> list[int]:
        """Ids that the search still lists although their templates are gone."""
        count = max(_FEWEST_STALE, round(self.templates * _STALE_SHARE))
        step = max(5, self.templates // count)
        # Every fifth place is followed by a hole.
        holes = [id_at(index - index % 5 + 1) + 1 for index in range(0, self.templates, step)]
        removed = [number for number in self.changes.removed if number in self.all_ids]
        return sorted({*holes[:count], *removed})

    def id_at(self, index: int) -> int:
        """Return the id at a place of the first state, before removals."""
        return self.all_ids[index]

    def index_of(self, template_id: int) -> int:
        """Return the place of an id in the first state, before removals."""
        if template_id not in self.all_ids:
            raise UnknownTemplateError(template_id)
        return _index_at_or_after(template_id)

    def truth(self, template_id: int) -> Truth:
        """Tell what an extractor must find for a template."""
        return self[template_id].truth()

    def related(self, template_id: int, count: int) -> list[Profile]:
        """Return some other templates, for the lists below a page."""
        others = (number for number in self._from(template_id) if number != template_id)
        return [self.profile(number) for number in islice(others, count)]

    def in_categories(self, names: str, ids: Sequence[int]) -> list[int]:
        """Keep the ids whose templates stand in one of the named categories."""
        wanted = with_children(names)
        return [number for number in ids if wanted.intersection(self.profile(number).categories)]

    def _from(self, template_id: int) -> Iterator[int]:
        start = self.index_of(template_id)
        for step in range(len(self.all_ids)):
            number = id_at((start + step * 7) % len(self.all_ids))
            if number in self:
                yield number

    def _at_place_of(
        self, template_id: int, name_at: Callable[[int, int], str | None]
    ) -> str | None:
        # An id listed by search alone has no place of its own, and nothing odd.
        if template_id not in self.all_ids:
            return None
        return name_at(self.seed, self.index_of(template_id))

    def _make_profile(self, template_id: int) -> Profile:
        index = _index_at_or_after(template_id)
        profile = sketch_profile(self.seed, template_id, index, self.templates)
        if bend := PROFILE_ODDITY.get(self._at_place_of(template_id, oddity_at) or ""):
            bend(profile)
        profile.title = self.changes.renamed.get(template_id, profile.title)
        return profile

    def _make_template(self, template_id: int) -> Template:
        oddity = self._at_place_of(template_id, oddity_at)
        draft = self._draw(template_id, roomy=oddity is not None)
        if bend := DRAFT_ODDITY.get(oddity or ""):
            bend(draft)
        if slip := self._at_place_of(template_id, slip_at):
            SLIP[slip](draft)
            add_look_alikes(draft)
        revision = self.changes.edited.get(template_id, 0)
        if revision:
            _edit(draft, revision)
        return Template(draft, revision, oddity)

    def _draw(self, template_id: int, *, roomy: bool) -> Draft:
        rng = Random(f"{self.seed}:{template_id}")  # noqa: S311 - invents data, keeps no secret
        # A profile of its own: an oddity may bend it without touching the one in memory.
        profile = self._make_profile(template_id)
        size = max(_LEAST_NODES_OF_ODD_ONES if roomy else 2, draw_size(rng))
        video = video_id(rng) if rng.random() < _VIDEO_SHARE else None
        place = rng.random()
        in_description = None if place < _VIDEO_ONLY_IN_NOTE else video
        in_note = video if place < _VIDEO_IN_BOTH else None
        description = write_description(rng, profile.title, in_description)
        drawn = draw_workflow(rng, profile.title, in_note, size)
        return Draft(rng, profile, description, drawn.workflow, drawn.edges, drawn.videos)


def _edit(draft: Draft, revision: int) -> None:
    """Change one parameter, add one connection and say so in the description."""
    steps = [node for node in draft.steps if node.get("name")]
    steps[-1].setdefault("parameters", {})["revision"] = revision
    source, target = str(steps[-1]["name"]), str(steps[0]["name"])
    draft.edges.append(Edge(source, "main", revision, target, "main", 0))
    draft.rewrite_connections()
    draft.description.markdown += f"\n\nRevision {revision} adds a way back to the first step."
