"""Lists the kinds of node the invented workflows are made of, and how the API describes them."""

import base64
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from n8n_scraper.testing.replica.draws import stable_number

STICKY_NOTE = "n8n-nodes-base.stickyNote"
BASE = "n8n-nodes-base."
LANGCHAIN = "@n8n/n8n-nodes-langchain."


@dataclass(frozen=True, slots=True)
class NodeKind:
    """One type of node: its name for people, where it stands in a flow, and what it needs."""

    type: str
    label: str
    role: str
    versions: tuple[float, ...] = (1,)
    credential: str | None = None
    outputs: int = 1
    node_categories: tuple[str, ...] = ("Core Nodes",)

    @property
    def id(self) -> int:
        """The number under which the API lists this kind."""
        return stable_number("kind", self.type) % 1400 + 1

    @property
    def is_core(self) -> bool:
        """Whether search results leave this kind out of their short node list."""
        return self.node_categories == ("Core Nodes",)

    @property
    def slug(self) -> str:
        """The last part of the address of its integration page."""
        return self.label.lower().replace(" ", "-").replace("(", "").replace(")", "")


_COMMUNICATION = ("Communication",)
_DATA = ("Data & Storage",)
_AI = ("AI", "Langchain")


def _base(name: str, label: str, role: str = "action", **more: Any) -> NodeKind:
    return NodeKind(BASE + name, label, role, **more)


def _ai(name: str, label: str, role: str, **more: Any) -> NodeKind:
    return NodeKind(LANGCHAIN + name, label, role, node_categories=_AI, **more)


KINDS: tuple[NodeKind, ...] = (
    _base("manualTrigger", "Manual Trigger", "trigger"),
    _base("scheduleTrigger", "Schedule Trigger", "trigger", versions=(1.1, 1.2)),
    _base("webhook", "Webhook", "trigger", versions=(1, 2), node_categories=("Development",)),
    _base("formTrigger", "n8n Form Trigger", "trigger", versions=(2.2,)),
    _base(
        "telegramTrigger",
        "Telegram Trigger",
        "trigger",
        versions=(1.1, 1.2),
        credential="telegramApi",
        node_categories=_COMMUNICATION,
    ),
    _base(
        "gmailTrigger",
        "Gmail Trigger",
        "trigger",
        versions=(1, 1.2),
        credential="gmailOAuth2",
        node_categories=_COMMUNICATION,
    ),
    _ai("chatTrigger", "Chat Trigger", "trigger", versions=(1.1,)),
    _base("code", "Code", versions=(2,)),
    _base("httpRequest", "HTTP Request", versions=(4.1, 4.2), credential="httpHeaderAuth"),
    _base("set", "Edit Fields (Set)", versions=(3.3, 3.4)),
    _base("if", "If", "branch", versions=(2, 2.2), outputs=2),
    _base("switch", "Switch", "branch", versions=(3.2,), outputs=3),
    _base("filter", "Filter", versions=(2.2,)),
    _base("merge", "Merge", versions=(3, 3.1)),
    _base(
        "splitInBatches", "Loop Over Items (Split in Batches)", "branch", versions=(3,), outputs=2
    ),
    _base("wait", "Wait", versions=(1.1,)),
    _base("aggregate", "Aggregate"),
    _base("splitOut", "Split Out"),
    _base("noOp", "No Operation, do nothing"),
    _base("executeWorkflow", "Execute Sub-workflow", versions=(1.2,)),
    _base(
        "googleSheets",
        "Google Sheets",
        versions=(4.5, 4.6),
        credential="googleSheetsOAuth2Api",
        node_categories=_DATA,
    ),
    _base(
        "googleDrive",
        "Google Drive",
        versions=(3,),
        credential="googleDriveOAuth2Api",
        node_categories=_DATA,
    ),
    _base(
        "gmail",
        "Gmail",
        versions=(2.1,),
        credential="gmailOAuth2",
        node_categories=_COMMUNICATION,
    ),
    _base("slack", "Slack", versions=(2.3,), credential="slackApi", node_categories=_COMMUNICATION),
    _base(
        "telegram",
        "Telegram",
        versions=(1.2,),
        credential="telegramApi",
        node_categories=_COMMUNICATION,
    ),
    _base("notion", "Notion", versions=(2.2,), credential="notionApi", node_categories=_DATA),
    _base(
        "airtable",
        "Airtable",
        versions=(2.1,),
        credential="airtableTokenApi",
        node_categories=_DATA,
    ),
    _base(
        "postgres", "Postgres", versions=(2.5, 2.6), credential="postgres", node_categories=_DATA
    ),
    _base(
        "hubspot", "HubSpot", versions=(2,), credential="hubspotApi", node_categories=("Marketing",)
    ),
    _base(
        "github",
        "GitHub",
        versions=(1.1,),
        credential="githubApi",
        node_categories=("Development",),
    ),
    _base(
        "emailSend",
        "Send Email",
        versions=(2.1,),
        credential="smtp",
        node_categories=_COMMUNICATION,
    ),
    NodeKind("n8n-nodes-inkwell.inkwell", "Inkwell", "action", (1,), "inkwellApi", 1, ("Utility",)),
    _ai("agent", "AI Agent", "agent", versions=(1.9, 2)),
    _ai("chainLlm", "Basic LLM Chain", "agent", versions=(1.5, 1.7)),
    _ai(
        "lmChatOpenAi",
        "OpenAI Chat Model",
        "ai_languageModel",
        versions=(1.2,),
        credential="openAiApi",
    ),
    _ai(
        "lmChatGoogleGemini",
        "Google Gemini Chat Model",
        "ai_languageModel",
        credential="googlePalmApi",
    ),
    _ai("memoryBufferWindow", "Simple Memory", "ai_memory", versions=(1.3,)),
    _ai("outputParserStructured", "Structured Output Parser", "ai_outputParser", versions=(1.2,)),
    _ai("toolHttpRequest", "HTTP Request Tool", "ai_tool", versions=(1.1,)),
    _ai("toolWorkflow", "Call n8n Sub-Workflow Tool", "ai_tool", versions=(2.2,)),
    _ai("toolCalculator", "Calculator", "ai_tool"),
    _base(
        "googleSheetsTool",
        "Google Sheets Tool",
        "ai_tool",
        versions=(4.6,),
        credential="googleSheetsOAuth2Api",
        node_categories=_DATA,
    ),
    _ai(
        "vectorStorePinecone",
        "Pinecone Vector Store",
        "ai_vectorStore",
        versions=(1.1,),
        credential="pineconeApi",
    ),
    _ai(
        "embeddingsOpenAi",
        "Embeddings OpenAI",
        "ai_embedding",
        versions=(1.2,),
        credential="openAiApi",
    ),
    _ai("documentDefaultDataLoader", "Default Data Loader", "ai_document"),
    _ai("textSplitterTokenSplitter", "Token Splitter", "ai_textSplitter"),
    NodeKind(STICKY_NOTE, "Sticky Note", "note"),
)

KIND_BY_TYPE: dict[str, NodeKind] = {kind.type: kind for kind in KINDS}

# Tool variants and community nodes are missing from the API's own node list.
_UNLISTED_TYPES = frozenset({BASE + "googleSheetsTool", "n8n-nodes-inkwell.inkwell"})


def kinds_of_role(*roles: str) -> tuple[NodeKind, ...]:
    """Return the kinds that can stand in one of these places of a flow."""
    return tuple(kind for kind in KINDS if kind.role in roles)


@cache
def node_entry(kind: NodeKind) -> dict[str, Any]:
    """Describe a kind as the ``nodes`` list of the API does, with its icon inlined."""
    page = f"https://docs.n8n.io/integrations/builtin/{kind.slug}/"
    return {
        "id": kind.id,
        "icon": "fa:code" if kind.is_core else f"file:{kind.slug}.svg",
        "name": kind.type,
        "codex": {
            "data": {
                "alias": [kind.label.split()[0]],
                "resources": {"primaryDocumentation": [{"url": page}]},
                "categories": list(kind.node_categories),
            }
        },
        "group": json.dumps(["trigger" if kind.role == "trigger" else "transform"]),
        "defaults": {"name": kind.label},
        "iconData": _icon(kind),
        "displayName": kind.label,
        "typeVersion": int(kind.versions[-1]),
        "nodeCategories": [
            {"id": stable_number("node category", name) % 40, "name": name}
            for name in kind.node_categories
        ],
    }


def listed_entries(types: set[str]) -> list[dict[str, Any]]:
    """Describe the types of one workflow, leaving out those the real answer leaves out."""
    return [
        node_entry(kind)
        for kind in KINDS
        if kind.type in types and kind.type not in _UNLISTED_TYPES
    ]


def _icon(kind: NodeKind) -> dict[str, str]:
    if kind.is_core:
        return {"icon": "code", "type": "icon"}
    number = stable_number("icon", kind.type, size_bytes=32)
    strokes = "".join(
        f'<path d="M{number >> step & 31} {number >> step + 3 & 31}h{step % 9}v7l3-{step % 5}z"'
        f' fill="#{number >> step & 0xFFFFFF:06x}"/>'
        for step in range(0, 200, 8)
    )
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{strokes}</svg>'
    encoded = base64.b64encode(picture.encode()).decode()
    return {"type": "file", "fileBuffer": f"data:image/svg+xml;base64,{encoded}"}
