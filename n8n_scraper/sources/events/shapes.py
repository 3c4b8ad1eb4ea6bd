"""Write the pages of the ten sites, each in the shape that its site is known to have."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, time
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from n8n_scraper.sources.events.invented import Invented

PATHS: Mapping[str, str] = {
    "mgto": "/mgto/en/events/calendar",
    "broadway": "/broadway/upcoming-events-and-concerts/",
    "galaxy": "/galaxy/ticketing/event-list/",
    "venetian": "/venetian/entertainment.html",
    "londoner": "/londoner/macau-events-shows",
    "timable": "/timable/en/search/event",
    "studio_city": "/studio_city/en/entertainment/events",
    "mgm": "/mgm/en/entertainment/events",
    "asiaworld_expo": "/asiaworld_expo/en/event-calendar",
    "hk_coliseum": "/hk_coliseum/en/hkcoliseum/",
}
"""Where the list of each site stands."""

AT_ONCE = 3
"""How many events a page shows at first, where more come with scrolling or on a further page."""

_MENU = (
    '<nav><h3>Hotels</h3><h3>Dining</h3><a href="/about"><img src="/logo.png">About us</a></nav>'
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


def page_of(title: str, body: str, head: str = "") -> bytes:
    """Put a page together, with a menu such as all sites have."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"{head}</head><body>{_MENU}{body}</body></html>"
    ).encode()


def listed(site: str, events: Sequence[Invented], target: str) -> bytes | None:
    """What a path of a site's list answers; None where it has no such path."""
    parts = urlsplit(target)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    if parts.path.rstrip("/") == PATHS[site].rstrip("/"):
        return _LISTS[site](events, asked)
    data = _DATA.get(site)
    return data(events, asked) if data and parts.path == f"/{site}/data" else None


def detail(event: Invented) -> bytes:
    """The page of an event."""
    told = f"<main><h1>{escape(event.title)}</h1></main>"
    if not event.is_drawn:
        return page_of(event.title, told, _script(linked_data(event)))
    said = json.dumps(_script(linked_data(event))).replace("</", "<\\/")
    drawing = f"<script>document.body.insertAdjacentHTML('beforeend', {said});</script>"
    return page_of(event.title, told + drawing)


def linked_data(event: Invented, *, in_utc: bool = False) -> dict[str, Any]:
    """An event as pages tell it to programs."""
    told = (lambda moment: f"{moment:%Y-%m-%dT%H:%M:%SZ}") if in_utc else event.local
    offers = {"@type": "AggregateOffer", "priceCurrency": "MOP"}
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.title,
        "startDate": told(event.start),
        "endDate": told(event.end),
        "eventStatus": f"https://schema.org/Event{_status(event)}",
        "location": {
            "@type": "Place",
            "name": event.venue,
            "address": {"@type": "PostalAddress", "addressLocality": "Macau"},
        },
        "description": event.description,
        "image": [f"/pictures/{event.key}.jpg"],
        "offers": {**offers, "lowPrice": event.lowest, "highPrice": event.highest},
        "organizer": {"@type": "Organization", "name": "The Lamplight Society"},
    }


def _status(event: Invented) -> str:
    return "Cancelled" if event.is_cancelled else "Scheduled"


def _script(said: object) -> str:
    text = json.dumps(said).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def _title(event: Invented) -> str:
    return escape(f"{event.title} (Cancelled)" if event.is_cancelled else event.title)


def _mgto(events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
    cards = "".join(
        f'<div class="m-calendar__event"><a href="/mgto/{one.key}">'
        f'<span class="m-calendar__event-label">Major Event</span>'
        f'<h4 class="m-calendar__event-name">{_title(one)}</h4></a>'
        f'<p class="m-calendar__event-date"><i class="icon-calendar"></i> {_no_year(one)}</p></div>'
        for one in events
    )
    return page_of("Calendar of Events", f'<div class="m-calendar">{cards}</div>')


def _no_year(event: Invented) -> str:
    """Write days as a calendar does that shows one year: "Sep 5-6", "Sep 30 - Oct 1"."""
    first, last = event.days[0], event.days[-1]
    if first == last:
        return f"{first:%b} {first.day}"
    if first.month == last.month:
        return f"{first:%b} {first.day}-{last.day}"
    return f"{first:%b} {first.day} - {last:%b} {last.day}"


def _galaxy(events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
    cards = "".join(
        f'<div class="event"><a href="/galaxy/ticketing/event-list/{one.key}">'
        f"{_title(one)}</a></div>"
        for one in events
    )
    return page_of("Tickets", f"<div>{cards}</div>")


def _venetian(events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
    cards = "".join(
        f'<div class="card"><h3>{_title(one)}</h3><p>{one.venue}</p>'
        f"<p>{_days(one)}, {_clock(one.begins)}</p><p>{_price(one)}</p></div>"
        for one in events
    )
    return page_of("Entertainment", f'<div class="cards">{cards}</div>')


def _days(event: Invented) -> str:
    """Write days as posters do: "27 - 28 September 2026"."""
    first, last = event.days[0], event.days[-1]
    if first == last:
        return _day(first)
    if first.month == last.month:
        return f"{first.day} - {_day(last)}"
    return f"{_day(first)} - {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _clock(at: time) -> str:
    return f"{(at.hour - 1) % 12 + 1}:{at.minute:02}{'pm' if at.hour >= 12 else 'am'}"


def _price(event: Invented) -> str:
    return f"From MOP{event.lowest:g}" if event.highest else "Free admission"


def _londoner(events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
    cards = "".join(
        f'<div class="two_columns-describe"><h3 class="two_columns-describe-text">{_title(one)}'
        f'</h3><div class="two_columns-describe-content">{one.venue}<br>{_days(one)}<br>'
        f"{_clock(one.begins)}<br>{_price(one)}</div></div>"
        for one in events
    )
    return page_of("Events and Shows", f'<div class="two_columns">{cards}</div>')


def _asiaworld_expo(events: Sequence[Invented], asked: Mapping[str, str]) -> bytes:
    page = int(asked.get("page", 1))
    here = events[(page - 1) * AT_ONCE : page * AT_ONCE]
    cards = "".join(
        f'<article itemscope itemtype="https://schema.org/{_TYPES[one.kind]}">'
        f'<h2 itemprop="name">{_title(one)}</h2><a itemprop="url" href="/asiaworld_expo/{one.key}">'
        f'More</a><time itemprop="startDate" datetime="{one.local(one.start)}">soon</time>'
        f'<time itemprop="endDate" datetime="{one.local(one.end)}"></time>'
        f'<div itemprop="location" itemscope itemtype="https://schema.org/Place">'
        f'<span itemprop="name">{one.venue}</span></div></article>'
        for one in here
    )
    further = f'<a class="next" href="?page={page + 1}">Next</a>'
    return page_of("Event Calendar", cards + (further if events[page * AT_ONCE :] else ""))


_TYPES = {"Concert": "MusicEvent", "Exhibition": "ExhibitionEvent", "Conference": "BusinessEvent"}


def _hk_coliseum(events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
    rows = "".join(
        f"<tr><td>{_slashed(one)} {_clock(one.begins)}</td><td>{_title(one)}</td>"
        f"<td>The Lamplight Society</td><td>{_dollars(one)}</td></tr>"
        for one in events
    )
    head = "<thead><tr><th>Date</th><th>Programme</th><th>Organiser</th><th>Price</th></tr></thead>"
    return page_of("Programmes", f'<table class="programme">{head}<tbody>{rows}</tbody></table>')


def _slashed(event: Invented) -> str:
    """Write days as forms do: "7-8/9/2026"."""
    return ", ".join(f"{day.day}/{day.month}/{day.year}" for day in event.days)


def _dollars(event: Invented) -> str:
    if not event.highest:
        return "Free admission"
    return f"${event.highest:,.0f}, {event.lowest:,.0f}"


def _broadway(_events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
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


def _broadway_data(events: Sequence[Invented], asked: Mapping[str, str]) -> bytes:
    here, more = _part(events, asked)
    html = "".join(
        f'<div style="height:900px"><a href="/broadway/event/{one.key}">{_title(one)}</a>'
        f'<a href="/broadway/event/{one.key}">Learn More</a></div>'
        for one in here
    )
    return json.dumps({"html": html, "more": more}).encode()


def _part(events: Sequence[Invented], asked: Mapping[str, str]) -> tuple[list[Invented], bool]:
    end = int(asked.get("page", 1)) * AT_ONCE
    return list(events[end - AT_ONCE : end]), bool(events[end:])


def _timable(events: Sequence[Invented], asked: Mapping[str, str]) -> bytes:
    scrolling = _SCROLLING.replace("SOURCE", '"/timable/data?"').replace("INTO", '"#results"')
    here, _ = _part(events, {})
    results = f'<ul id="results" style="min-height:3000px">{_fragments(here)}</ul>'
    return page_of("Search", f"{results}<script>{scrolling}</script>")


def _timable_data(events: Sequence[Invented], asked: Mapping[str, str]) -> bytes:
    here, more = _part(events, asked)
    return json.dumps({"html": _fragments(here), "more": more}).encode()


def _fragments(events: Sequence[Invented]) -> str:
    return "".join(
        f'<li style="height:900px"><a href="/timable/en/event/{one.key}">{_title(one)}</a>'
        f"{_script({**linked_data(one, in_utc=True), 'url': f'/timable/en/event/{one.key}'})}</li>"
        for one in events
    )


def _by_data(site: str) -> Callable[[Sequence[Invented], Mapping[str, str]], bytes]:
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


def _studio_city_data(events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
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


def _mgm_data(events: Sequence[Invented], _asked: Mapping[str, str]) -> bytes:
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


_List = Callable[[Sequence[Invented], Mapping[str, str]], bytes]
_LISTS: Mapping[str, _List] = {
    "mgto": _mgto,
    "broadway": _broadway,
    "galaxy": _galaxy,
    "venetian": _venetian,
    "londoner": _londoner,
    "timable": _timable,
    "studio_city": _by_data("studio_city"),
    "mgm": _by_data("mgm"),
    "asiaworld_expo": _asiaworld_expo,
    "hk_coliseum": _hk_coliseum,
}
_DATA: Mapping[str, _List] = {
    "broadway": _broadway_data,
    "timable": _timable_data,
    "studio_city": _studio_city_data,
    "mgm": _mgm_data,
}
