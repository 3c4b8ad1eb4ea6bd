"""Writes the page of a template, in the visible order and with the class names of the site."""

import json
import re
from html import escape
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.categories import CATEGORIES
from n8n_scraper.sources.n8n.replica.chrome import cookie_dialog, footer, navigation, testimonials
from n8n_scraper.sources.n8n.replica.devalue import Tagged, devalue
from n8n_scraper.sources.n8n.replica.plain_text import strip_markdown
from n8n_scraper.sources.n8n.replica.profiles import Profile
from n8n_scraper.sources.n8n.replica.templates import Template

_META_CHARS = 150
_RELATED = 3
_NODES_SHOWN = 3
_PREVIEW = "https://n8n-preview-service.internal.n8n.cloud/workflows/demo?theme=light"
_PICTURE = "https://n8niostorageaccount.blob.core.windows.net/n8nio-strapi-blobs-prod/assets/og.png"
_YOUTUBE = re.compile(r"@\[youtube\]\(([\w-]{11})\)")
_FRAME = r'<iframe src="https://www.youtube-nocookie.com/embed/\1" allowfullscreen></iframe>'

_markdown = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table")


def template_page(catalogue: Catalogue, template_id: int, site_url: str) -> str:
    """Write the whole page."""
    template = catalogue[template_id]
    told = template.by_id()
    related = catalogue.related(template_id, 2 * _RELATED)
    body = "".join(
        (
            navigation(),
            _hero(template, told["nodes"]),
            _facts(template, site_url),
            _explainer(template),
            _more_by_author(template, related[:_RELATED]),
            _more_in_categories(template, related[_RELATED:]),
            testimonials(),
            footer(),
        )
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head>{_head(template, site_url)}</head>'
        f'<body class="antialiased"><div id="__nuxt"><!--[-->{body}<!--]--></div>'
        f'<div id="teleports"></div>{cookie_dialog()}{_payload(told, site_url)}</body></html>'
    )


def _head(template: Template, site_url: str) -> str:
    title = escape(f"{template.title} | n8n workflow template")
    address = escape(site_url + template.path)
    summary = escape(_meta_description(template))
    return (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>{title}</title><script type="importmap">'
        '{"imports":{"#entry":"/_nuxt/entry.js"}}</script><style>/*! tailwindcss */</style>'
        f'<meta name="description" content="{summary}"><meta property="og:title" content="{title}">'
        f'<meta property="og:description" content="{summary}">'
        f'<meta property="og:url" content="{address}"><meta property="og:type" content="website">'
        f'<meta property="og:image" content="{_PICTURE}">'
        f'<meta name="twitter:title" content="{title}"><meta name="twitter:card" content="summary">'
        f'<meta name="robots" content="index, follow"><link rel="canonical" href="{address}">'
    )


def _meta_description(template: Template) -> str:
    # The real one glues blocks together without a space.
    text = strip_markdown(template.draft.description.markdown).replace("\n", "")
    return text if len(text) <= _META_CHARS else text[: _META_CHARS - 3] + "..."


def _hero(template: Template, listed: list[dict[str, str]]) -> str:
    icons = "".join(
        f'<a href="{node["url"]}"><img src="/nodes/{node["url"].split("/")[2]}.svg" alt=""></a>'
        for node in listed[:_NODES_SHOWN]
    )
    rest = f"<span>+{len(listed) - _NODES_SHOWN}</span>" if len(listed) > _NODES_SHOWN else ""
    workflow = escape(json.dumps(template.workflow, ensure_ascii=False, separators=(",", ":")))
    return (
        '<main><section class="section-workflow-hero"><a href="/workflows/">Back to Templates</a>'
        f'<div class="node-icons">{icons}{rest}</div>'
        f'<h1 class="font-geomanist title">{escape(template.title)}</h1>'
        f'<n8n-demo workflow="{workflow}" frame="true" theme="light"></n8n-demo>'
        f'<iframe class="embedded_workflow_iframe" src="{_PREVIEW}" loading="lazy"></iframe>'
        f"{_offer(template.profile)}</section>"
    )


def _offer(profile: Profile) -> str:
    if profile.is_paid:
        link = escape(profile.purchase_url or "")
        return f'<a class="button button--primary" href="{link}">Buy for ${profile.price}</a>'
    return '<button class="button button--primary" type="button">Use for free</button>'


def _facts(template: Template, site_url: str) -> str:
    author = template.profile.author
    categories = "".join(
        f'<a href="/workflows/categories/{CATEGORIES[name].slug}/">{escape(name)}</a>'
        for name in template.profile.categories
    )
    shared = quote(site_url + template.path.rstrip("/"), safe="")
    return (
        '<section class="section-workflow-content"><aside><div><p>Created by</p>'
        f'<a href="/creators/{author.username}/"><img src="{escape(author.avatar)}" alt="">'
        f"<span>{escape(author.name)}</span></a></div><div><p>Last update</p>"
        f"<p>{template.last_update_text}</p></div>"
        f"<div><p>Categories</p>{categories}</div><div><p>Share</p>"
        f'<a href="https://x.com/intent/post?url={shared}">X</a>'
        f'<a href="https://www.linkedin.com/sharing/share-offsite/?url={shared}">LinkedIn</a>'
        "</div></aside>"
    )


def _explainer(template: Template) -> str:
    return (
        '<div class="workflow-description"><div class="content-styles">'
        f"{render_markdown(template)}</div></div></section>"
    )


def render_markdown(template: Template) -> str:
    """Render the description: uploads get their address, video marks become frames."""
    text = template.draft.description.markdown
    for image in template.draft.description.images:
        text = text.replace(f"(fileId:{image['id']})", f"({image['url']})")
    rendered: str = _markdown.render(_YOUTUBE.sub(_FRAME, text))
    return rendered


def _more_by_author(template: Template, related: list[Profile]) -> str:
    return (
        '<section class="section-creator-workflows">'
        f"<h2>More templates by {escape(template.profile.author.name)}</h2>{_cards(related)}"
        "</section>"
    )


def _more_in_categories(template: Template, related: list[Profile]) -> str:
    sections = "".join(
        f"<h2>More <span>{escape(name)}</span> templates</h2>{_cards(related)}"
        for name in template.profile.categories
    )
    return f'<section class="section-similar-workflows">{sections}</section></main>'


def _cards(related: list[Profile]) -> str:
    return "".join(
        f'<a class="card" href="{profile.path}"><h3 class="title">{escape(profile.title)}</h3>'
        f'<span class="author">{escape(profile.author.name)}</span></a>'
        for profile in related
    )


def _payload(told: dict[str, Any], site_url: str) -> str:
    config = json.dumps({"public": {"productApiUrl": site_url, "nodeLogoDir": "/nodes"}, "app": {}})
    data: dict[str, Any] = {f"workflow-{told['id']}": told, "githubCount": 148939}
    state = {
        "data": Tagged("ShallowReactive", data),
        "state": Tagged("Reactive", {}),
        "serverRendered": True,
        "path": told["url"],
    }
    flat = devalue(Tagged("ShallowReactive", state))
    return (
        f"<script>window.__NUXT__={{}};window.__NUXT__.config={config}</script>"
        '<script type="application/json" data-nuxt-data="nuxt-app" data-ssr="true"'
        f' id="__NUXT_DATA__">{flat}</script>'
    )
