"""Builds what stands around every page: navigation, testimonials, footer, cookie dialog.

All of it is there to be mistaken for content: author-like names, tag-like words, a video link.
"""

from functools import cache

from n8n_scraper.sources.n8n.replica.words import TESTIMONIALS

_NAVIGATION = ("Product", "Use cases", "Docs", "Community", "Enterprise", "Pricing")

_FOOTER_LINKS = (
    ("Integrations", "/integrations/"),
    ("Google Sheets", "/integrations/google-sheets/"),
    ("HubSpot and Salesforce", "/integrations/hubspot/and/salesforce/"),
    ("Twilio and WhatsApp", "/integrations/twilio/and/whatsapp/"),
    ("Build a chat bot", "/workflows/categories/ai-chatbot/"),
    ("YouTube to blog post", "/workflows/5-youtube-to-blog-post/"),
    ("Case Studies", "/case-studies/"),
    ("Legal", "/legal/"),
)

_COOKIE_WORDS = ("Strictly necessary", "Performance", "Targeting", "Functionality")

_COOKIES = (
    ("__sec__token", "n8n.io", "1 day", "Keeps the session of a visitor."),
    ("_ga", "Google", "1 year 1 month", "Counts and tracks pageviews."),
    ("_GRECAPTCHA", "www.google.com", "6 months", "Sets a necessary cookie for risk analysis."),
    ("VISITOR_PRIVACY_METADATA", ".youtube.com", "6 months", "Stores the consent of a visitor."),
)


@cache
def navigation() -> str:
    """Write the bar at the top."""
    entries = "".join(
        f'<li><a href="/{name.lower().replace(" ", "-")}/">{name}</a></li>' for name in _NAVIGATION
    )
    return (
        '<header class="px-layout-nav-padding"><a href="/" aria-label="n8n.io">n8n.io</a>'
        f'<nav><ul class="nav-list">{entries}</ul></nav>'
        '<a class="badge" href="https://github.com/n8n-io/n8n">GitHub 148,939</a>'
        '<a href="https://app.n8n.cloud/register">Get Started</a></header>'
    )


@cache
def testimonials() -> str:
    """Write praise by people who are not the author of anything here."""
    cards = "".join(
        f'<div class="testimonial-card card"><p class="description">{text}</p>'
        f'<div class="author"><span class="author-name" itemprop="author">{name}</span>'
        f'<a class="username" rel="author" href="https://x.com/{name.split()[0].lower()}">'
        f"@{name.split()[0].lower()}</a></div></div>"
        for text, name in TESTIMONIALS
    )
    return (
        '<section class="section-testimonials"><h2>There’s nothing you can’t automate with n8n'
        f"</h2><p>Our customer’s words, not ours.</p>{cards}</section>"
    )


@cache
def footer() -> str:
    """Write the footer with its channel link, which is no video."""
    links = "".join(f'<li><a href="{path}">{name}</a></li>' for name, path in _FOOTER_LINKS)
    return (
        '<footer class="footer-main"><h2>Automate without limits</h2>'
        '<a href="https://www.youtube.com/c/n8n-io" aria-label="YouTube">YouTube</a>'
        '<a href="https://x.com/n8n_io">X</a><a href="https://discord.gg/example">Discord</a>'
        f"<h3>Trending combinations</h3><ul>{links}</ul></footer>"
    )


@cache
def cookie_dialog() -> str:
    """Write the consent dialog, whose switches look like tags."""
    tags = "".join(f'<span class="badge tag category">{word}</span>' for word in _COOKIE_WORDS)
    rows = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in cookie) + "</tr>" for cookie in _COOKIES
    )
    return (
        '<div id="cookiescript_injected" role="dialog"><h2>This website uses cookies</h2>'
        '<p class="description">We use cookies to personalise content, ads and to analyse our'
        f' traffic.</p><div class="tags">{tags}</div><button>Accept all</button>'
        "<button>Decline all</button><table><tr><th>Name</th><th>Provider</th><th>Expiration</th>"
        f"<th>Description</th></tr>{rows}</table></div>"
    )
