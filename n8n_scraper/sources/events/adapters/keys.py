"""The keys under which JSON has events, and those under which events have their fields.

Each is written in small letters and without signs, as `simple` writes any.
"""

from __future__ import annotations

import re

_NO_SIGN = re.compile(r"[^a-z0-9]")


def simple(key: str) -> str:
    """Write a key in one way: `event_start`, `eventStart` and `Event-Start` are one."""
    return _NO_SIGN.sub("", key[:100].lower())


LISTS = frozenset(
    (
        *("data", "results", "result", "items", "item", "records", "record", "rows", "list"),
        *("entries", "hits", "docs", "documents", "nodes", "edges", "features", "content"),
        *("value", "values", "children", "elements", "collection", "payload", "body", "proinfo"),
    )
)
OF_EVENTS = re.compile(
    r"^(?:all|upcoming|featured|current|future|latest)?"
    r"(?:events?|shows?|performances?|concerts?|programmes?|programs?|exhibitions?|activities|gigs?)"
    r"(?:s|list|listdata|data|items|results|info)?$"
)

TITLE = (
    *("title", "eventtitle", "eventname", "name", "proname1", "proname", "showname", "subject"),
    *("summary", "heading", "titleen", "titlee", "nameen"),
)
ID = ("id", "eventid", "procode", "uid", "guid", "uuid", "code", "showid", "permalink", "slug")
URL = (
    "url",
    "eventurl",
    "link",
    "href",
    "detailurl",
    "detailsurl",
    "pageurl",
    "permalinkurl",
    "path",
)
START = (
    *("start", "startdate", "startdatetime", "startsat", "startat", "startdateutc", "starttime"),
    *("eventstart", "eventstartdate", "eventstartunix", "begin", "begindate", "begins", "dtstart"),
    *("datefrom", "fromdate", "datestart", "startutc", "dateutc", "startlocal"),
)
START_TIME = ("starttime", "timestart", "timefrom", "begintime", "eventstarttime")
END = (
    *("end", "enddate", "enddatetime", "endsat", "endat", "enddateutc", "endtime", "eventend"),
    *("eventenddate", "eventendunix", "finish", "enddatelocal", "dtend", "dateto", "todate"),
    *("dateend", "endutc", "endlocal"),
)
END_TIME = ("endtime", "timeend", "timeto", "finishtime", "eventendtime")
WHEN = (
    *("showdate", "date", "dates", "eventdate", "eventdates", "datetext", "displaydate"),
    *("datedisplay", "dateandtime", "datetime", "when", "period", "daterange", "meetingdate"),
    *("eventtime", "schedule"),
)
TIME = ("time", "times", "showtime", "meetingtime", "timetext", "displaytime")
TIMES = ("sections", "occurrences", "sessions", "performances", "showtimes", "timings", "dates")
ZONE = ("timezone", "tz", "tzid", "timezoneid")
VENUE = ("venue", "venuename", "location", "locationname", "place", "meetinglocation", "venuetitle")
ADDRESS = ("address", "streetaddress", "fulladdress", "formattedaddress", "venueaddress", "street")
CITY = ("city", "locality", "addresslocality", "town", "venuecity")
LATITUDE = ("latitude", "lat", "geolat")
LONGITUDE = ("longitude", "lng", "lon", "long", "geolng")
PRICE = (
    *("pricedesc", "price", "prices", "ticketprice", "ticketprices", "pricerange", "pricetext"),
    *("cost", "admission", "fee", "fees"),
)
LEAST = ("pricemin", "minprice", "lowestprice", "lowprice", "pricefrom")
MOST = ("pricemax", "maxprice", "highestprice", "highprice", "priceto")
CURRENCY = ("currency", "pricecurrency", "currencycode")
FREE = ("isfree", "free", "isaccessibleforfree")
IMAGES = (
    *("image", "images", "imageurl", "imageurls", "picture", "picturep", "pictures", "pictureurl"),
    *(
        "poster",
        "posterurl",
        "photo",
        "photos",
        "cover",
        "coverimage",
        "thumbnail",
        "featuredimage",
    ),
    *("banner", "heroimage", "img"),
)
DESCRIPTION = (
    *("description", "eventdescription", "desc", "content", "summary", "intro", "excerpt"),
    *("details", "body", "shortdescription", "about"),
)
CATEGORY = (
    "category",
    "categories",
    "eventcategory",
    "protype",
    "genre",
    "genres",
    "tags",
    "eventtype",
)
ORGANISER = ("organiser", "organizer", "organizername", "presenter", "promoter", "host", "spname")
ALL_DAY = ("allday", "isallday", "wholeday")
PUBLISHED = frozenset(("dategmt", "modifiedgmt", "datepublished", "publishedat", "publishdate"))
"""What has one of these is dated by the day on which it was published."""
KIND = ("typename", "posttype", "contenttype", "type", "kind")
NO_EVENTS = frozenset(
    ("post", "posts", "article", "news", "newsarticle", "blogpost", "page", "product")
)
STATUS = ("eventstatus", "status")
CANCELLED = ("cancelled", "canceled", "iscancelled", "iscanceled")
