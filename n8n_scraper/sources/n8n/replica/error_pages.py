"""Writes the pages of bad days: not found, overloaded, under suspicion."""

from functools import cache

from n8n_scraper.sources.n8n.replica.chrome import cookie_dialog


@cache
def not_found_page() -> bytes:
    """Write the site's own 404 page, with the cookie dialog it carries too."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        "<title>Page not found | n8n.io</title></head>"
        '<body class="antialiased"><div id="__nuxt"><main class="error-page"><h1>Ooops...</h1>'
        '<p>error <span class="badge">404</span></p><h2>Page not found</h2>'
        f'<a href="/">Back to home</a></main></div>{cookie_dialog()}</body></html>'
    ).encode()


@cache
def challenge_page() -> bytes:
    """Write the page that asks whether one is human."""
    return (
        b'<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>'
        b'<meta http-equiv="refresh" content="390"><meta name="robots" content="noindex,nofollow">'
        b'</head><body class="no-js"><div class="main-wrapper" role="main">'
        b'<h1 class="zone-name-title">n8n.io</h1><p id="challenge-error-text">Verify you are human'
        b" by completing the action below. Enable JavaScript and cookies to continue</p>"
        b'<div class="cf-turnstile"></div></div><script>window._cf_chl_opt={cType:"managed"};'
        b'var s=document.createElement("script");'
        b's.src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1";</script></body></html>'
    )
