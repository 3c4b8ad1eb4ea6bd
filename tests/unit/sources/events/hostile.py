"""Pages that are made to take long: each a way to begin, what is said again and again, an end."""

LD = '<script type="application/ld+json">'
CARD = "<div class=c><h3>a</h3>"

HOSTILE: dict[str, tuple[str, str, str]] = {
    "deep": ("", "<div>", ""),
    "deep cards": ("", "<div class=c>", ""),
    "headings": ("", "<h3>a</h3>", ""),
    "cards": ("", f"{CARD}<p>1 2 3 4 5 6 7 8 9 1 2 3 4 x 5 6 7 8</p></div>", ""),
    "long cards": (
        "",
        f"{CARD}<p>" + f"x {' '.join(map(str, range(1, 21)))}<br>" * 40 + "</p></div>",
        "",
    ),
    "things": ("", "<p itemscope itemtype=http://schema.org/Event itemprop=a>", ""),
    "things that refer": (
        "<p id=a itemprop=x>",
        '<p itemscope itemref=a itemtype="http://schema.org/Event"><b itemprop=name>n</b></p>',
        "",
    ),
    "rdfa": ("", '<p vocab="http://schema.org/" typeof=Event><b property=name>x</b></p>', ""),
    "classes": ("", '<div class="vevent"><b class=summary>x</b>', ""),
    "data": (LD + "[", '{"@type":"Event","name":"a","startDate":"2025-01-01"},', "]</script>"),
    "deep data": (LD, "[", "</script>"),
    "quotes": (LD, '\\"', "</script>"),
    "scripts": ("", LD + "{</script>", ""),
    "comments": (LD, "/*", "</script>"),
    "commas": (LD, ", ", "</script>"),
    "spaces in data": (LD + '{"a":1,', " ", "</script>"),
    "times": (
        LD + "[",
        '{"@type":"Event","name":"a","startDate":"' + "1,2,3,4 Jan 2025 - 1 Jan 2026 " * 3 + '"},',
        "]</script>",
    ),
    "ranges": (
        LD + "[",
        '{"@type":"Event","name":"a","startDate":"1 Jan 2023 - 1 Jan 2026"},',
        "]</script>",
    ),
    "programs": ("<script>", "window.abc = {", "</script>"),
    "a program": ("<script>window.abc = ", '{"a":[', "</script>"),
    "json": ('{"events":[', '{"title":"a","date":"1 Jan 2025"},', "{}]}"),
    "deep json": ("", "[", ""),
    "pieces in json": ("[", '"<div class=c>' + "x" * 40 + '</div>",', "1]"),
    "a piece in json": ('{"a":"', "<div class=c><h3>a</h3><p>1</p></div>", '"}'),
    "calendar": (
        "BEGIN:VCALENDAR\n",
        "BEGIN:VEVENT\nSUMMARY:a\nDTSTART:20250101\nRRULE:FREQ=DAILY\nEND:VEVENT\n",
        "",
    ),
    "parameters": ("BEGIN:VCALENDAR\nA", ";B=C", ""),
    "quotes in a calendar": ("BEGIN:VCALENDAR\n", 'A;B="', ""),
    "days left out": (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\nDTSTART:20250101T100000\nRRULE:FREQ=DAILY\nEXDATE:",
        "20250101T100000,",
        "",
    ),
    "feed": ("<rss>", "<item><title>a</title><description>1 Jan</description></item>", ""),
    "deep feed": ("<rss>", "<item>", ""),
    "entities": (
        '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><rss>',
        "&b;",
        "</rss>",
    ),
    "attributes": ("<p ", "a=b ", ">"),
    "signs": ("", "<", ""),
    "references": ("", "&", ""),
    "head": ("<head>", '<meta property="og:title" content="x">', "</head>"),
    "spaces": ("", " ", ""),
    "digits": ("", "1", ""),
    "nothing": ("", "\0", ""),
    "days on a card": (CARD + "<p>", "1 Jan 2025, ", "</p></div>"),
    "lines on a card": (CARD + "<p>", "1 Jan 2025<br>", "</p></div>"),
    "prices": (CARD + "<p>", "$1,", "</p></div>"),
    "pictures": (CARD + '<img srcset="', "a 1w, ", '"></div>'),
}


def page(name: str, length: int) -> bytes:
    """Write the page of this name, about as long."""
    begins, again, ends = HOSTILE[name]
    return (begins + again * (length // len(again)) + ends).encode()
