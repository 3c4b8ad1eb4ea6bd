"""Write the pages that say all to a plain request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time

from n8n_scraper.sources.events.invented import Invented
from n8n_scraper.sources.events.shapes.page import AT_ONCE, Asked, Shape, page_of, title_of


def _mgto(events: Sequence[Invented], _asked: Asked) -> bytes:
    cards = "".join(
        f'<div class="m-calendar__event"><a href="/mgto/{one.key}">'
        f'<span class="m-calendar__event-label">Major Event</span>'
        f'<h4 class="m-calendar__event-name">{title_of(one)}</h4></a>'
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


def _galaxy(events: Sequence[Invented], _asked: Asked) -> bytes:
    cards = "".join(
        f'<div class="event"><a href="/galaxy/ticketing/event-list/{one.key}">'
        f"{title_of(one)}</a></div>"
        for one in events
    )
    return page_of("Tickets", f"<div>{cards}</div>")


def _venetian(events: Sequence[Invented], _asked: Asked) -> bytes:
    cards = "".join(
        f'<div class="card"><h3>{title_of(one)}</h3><p>{one.venue}</p>'
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


def _londoner(events: Sequence[Invented], _asked: Asked) -> bytes:
    cards = "".join(
        f'<div class="two_columns-describe"><h3 class="two_columns-describe-text">{title_of(one)}'
        f'</h3><div class="two_columns-describe-content">{one.venue}<br>{_days(one)}<br>'
        f"{_clock(one.begins)}<br>{_price(one)}</div></div>"
        for one in events
    )
    return page_of("Events and Shows", f'<div class="two_columns">{cards}</div>')


def _asiaworld_expo(events: Sequence[Invented], asked: Asked) -> bytes:
    page = int(asked.get("page", 1))
    here = events[(page - 1) * AT_ONCE : page * AT_ONCE]
    cards = "".join(
        f'<article itemscope itemtype="https://schema.org/{_TYPES[one.kind]}">'
        f'<h2 itemprop="name">{title_of(one)}</h2>'
        f'<a itemprop="url" href="/asiaworld_expo/{one.key}">'
        f'More</a><time itemprop="startDate" datetime="{one.local(one.start)}">soon</time>'
        f'<time itemprop="endDate" datetime="{one.local(one.end)}"></time>'
        f'<div itemprop="location" itemscope itemtype="https://schema.org/Place">'
        f'<span itemprop="name">{one.venue}</span></div></article>'
        for one in here
    )
    further = f'<a class="next" href="?page={page + 1}">Next</a>'
    return page_of("Event Calendar", cards + (further if events[page * AT_ONCE :] else ""))


_TYPES = {"Concert": "MusicEvent", "Exhibition": "ExhibitionEvent", "Conference": "BusinessEvent"}


def _hk_coliseum(events: Sequence[Invented], _asked: Asked) -> bytes:
    rows = "".join(
        f"<tr><td>{_slashed(one)} {_clock(one.begins)}</td><td>{title_of(one)}</td>"
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


PLAIN: Mapping[str, Shape] = {
    "mgto": _mgto,
    "galaxy": _galaxy,
    "venetian": _venetian,
    "londoner": _londoner,
    "asiaworld_expo": _asiaworld_expo,
    "hk_coliseum": _hk_coliseum,
}
"""The lists."""
