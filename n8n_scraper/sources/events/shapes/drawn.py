"""Write the pages that scripts draw, and the data that these fetch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC

from n8n_scraper.sources.events.invented import Invented
from n8n_scraper.sources.events.shapes.page import (
    AT_ONCE,
    Asked,
    Shape,
    linked_data,
    page_of,
    script,
    title_of,
)

_SCROLLING = """
let page = 1, busy = false;
async function more() {
  if (busy) return;
  busy = true;
  const got = await (await fetch(SOURCE + "page=" + ++page)).json();
  document.querySelector(INTO).insertAdjacentHTML("beforeend", got.html);
  busy = false;
  if (!got.more) removeEventListener("scroll", more);
}
addEventListener("scroll", more);
"""


def _broadway(_events: Sequence[Invented], _asked: Asked) -> bytes:
    drawing = """
<div id="root"></div><script>
async function draw() {
  const got = await (await fetch("/broadway/data?page=1")).json();
  const grid = document.createElement("div");
  grid.className = "events-grid";
  grid.style.minHeight = "3000px";
  grid.innerHTML = got.html;
  document.getElementById("root").append(grid);
}
draw();
"""
    scrolling = _SCROLLING.replace("SOURCE", '"/broadway/data?"').replace("INTO", '".events-grid"')
    return page_of("Upcoming", f"{drawing}{scrolling}</script>")


def _broadway_data(events: Sequence[Invented], asked: Asked) -> bytes:
    here, more = _part(events, asked)
    html = "".join(
        f'<div style="height:900px"><a href="/broadway/event/{one.key}">{title_of(one)}</a>'
        f'<a href="/broadway/event/{one.key}">Learn More</a></div>'
        for one in here
    )
    return json.dumps({"html": html, "more": more}).encode()


def _part(events: Sequence[Invented], asked: Asked) -> tuple[list[Invented], bool]:
    end = int(asked.get("page", 1)) * AT_ONCE
    return list(events[end - AT_ONCE : end]), bool(events[end:])


def _timable(events: Sequence[Invented], asked: Asked) -> bytes:
    scrolling = _SCROLLING.replace("SOURCE", '"/timable/data?"').replace("INTO", '"#results"')
    here, _ = _part(events, {})
    results = f'<ul id="results" style="min-height:3000px">{_fragments(here)}</ul>'
    return page_of("Search", f"{results}<script>{scrolling}</script>")


def _timable_data(events: Sequence[Invented], asked: Asked) -> bytes:
    here, more = _part(events, asked)
    return json.dumps({"html": _fragments(here), "more": more}).encode()


def _fragments(events: Sequence[Invented]) -> str:
    return "".join(
        f'<li style="height:900px"><a href="/timable/en/event/{one.key}">{title_of(one)}</a>'
        f"{script({**linked_data(one, in_utc=True), 'url': f'/timable/en/event/{one.key}'})}</li>"
        for one in events
    )


def _by_data(site: str) -> Shape:
    drawing = f"""
<div id="app"></div><script>
(async () => {{
  const got = await (await fetch("/{site}/data")).json();
  const events = got.data ? got.data.events : got.items;
  document.getElementById("app").innerHTML =
    events.map(one => "<h2>" + (one.name || one.title) + "</h2>").join("");
}})();
</script>"""
    return lambda _events, _asked: page_of("Events", drawing)


def _studio_city_data(events: Sequence[Invented], _asked: Asked) -> bytes:
    told = [
        {
            "id": one.key,
            "name": one.title,
            "startDate": one.local(one.start),
            "endDate": one.local(one.end),
            "venue": {"name": one.venue},
            "description": one.description,
            "status": "cancelled" if one.is_cancelled else "scheduled",
            "url": f"/studio_city/{one.key}",
        }
        for one in events
    ]
    return json.dumps({"data": {"events": told}}).encode()


def _mgm_data(events: Sequence[Invented], _asked: Asked) -> bytes:
    told = [
        {
            "id": 1000 + one.number,
            "title": f"{one.title} (Cancelled)" if one.is_cancelled else one.title,
            "start": f"{one.start.astimezone(UTC):%Y-%m-%dT%H:%M:%S+00:00}",
            "end": f"{one.end.astimezone(UTC):%Y-%m-%dT%H:%M:%S+00:00}",
            "location": one.venue,
        }
        for one in events
    ]
    return json.dumps({"items": told}).encode()


DRAWN: Mapping[str, Shape] = {
    "broadway": _broadway,
    "timable": _timable,
    "studio_city": _by_data("studio_city"),
    "mgm": _by_data("mgm"),
}
"""The lists."""

DATA: Mapping[str, Shape] = {
    "broadway": _broadway_data,
    "timable": _timable_data,
    "studio_city": _studio_city_data,
    "mgm": _mgm_data,
}
"""What they fetch."""
