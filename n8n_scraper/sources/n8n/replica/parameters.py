"""Fills in the parameters of an invented node, each kind in its own shape."""

from collections.abc import Callable
from random import Random
from typing import Any

from n8n_scraper.sources.n8n.replica.node_kinds import BASE, LANGCHAIN, NodeKind
from n8n_scraper.sources.n8n.replica.words import NODE_WORDS, OBJECTS, SENTENCES, STEPS

Parameters = dict[str, Any]

_CODE_LINES = (
    "const items = $input.all();",
    "const seen = new Set();",
    "for (const item of items) {\n  seen.add(item.json.id);\n}",
    "const today = new Date().toISOString().slice(0, 10);",
    "const rows = items.map((item) => ({ ...item.json, date: today }));",
    "// keep only what has changed since the last run",
    "rows.sort((a, b) => a.name.localeCompare(b.name));",
)


def parameters_for(kind: NodeKind, rng: Random) -> Parameters:
    """Return believable parameters for a node of this kind."""
    make = _MAKERS.get(kind.type, _service)
    return make(rng)


def _nothing(_rng: Random) -> Parameters:
    return {}


def _options_only(_rng: Random) -> Parameters:
    return {"options": {}}


def _code(rng: Random) -> Parameters:
    lines = rng.choices(_CODE_LINES, k=rng.randint(3, 30))
    return {"jsCode": "\n".join([*lines, "return rows.map((row) => ({ json: row }));"])}


def _http(rng: Random) -> Parameters:
    return {
        "url": f"https://api.example.com/v{rng.randint(1, 4)}/{rng.choice(OBJECTS).split()[-1]}",
        "method": rng.choice(("GET", "POST", "PUT")),
        "options": {"timeout": 30000},
        "sendHeaders": True,
        "headerParameters": {
            "parameters": [{"name": "Authorization", "value": "Bearer YOUR_TOKEN_HERE"}]
        },
    }


def _set(rng: Random) -> Parameters:
    return {
        "options": {},
        "assignments": {
            "assignments": [
                {
                    "id": f"{rng.getrandbits(64):016x}",
                    "name": rng.choice(NODE_WORDS).replace(" ", "_"),
                    "type": "string",
                    "value": "={{ $json." + rng.choice(("title", "body", "total", "from")) + " }}",
                }
                for _ in range(rng.randint(1, 5))
            ]
        },
    }


def _condition(rng: Random) -> Parameters:
    return {
        "options": {},
        "conditions": {
            "options": {"version": 2, "leftValue": "", "caseSensitive": True},
            "combinator": "and",
            "conditions": [
                {
                    "id": f"{rng.getrandbits(64):016x}",
                    "operator": {"type": "number", "operation": "gt"},
                    "leftValue": "={{ $json.total }}",
                    "rightValue": rng.randint(1, 500),
                }
            ],
        },
    }


def _schedule(rng: Random) -> Parameters:
    return {"rule": {"interval": [{"field": "hours", "triggerAtHour": rng.randint(1, 23)}]}}


def _webhook(rng: Random) -> Parameters:
    return {"path": f"{rng.getrandbits(48):012x}", "options": {}, "httpMethod": "POST"}


def _agent(rng: Random) -> Parameters:
    task = rng.choice(OBJECTS)
    return {
        "text": f"=Read these {task} and answer:\n{{{{ $json.body }}}}",
        "options": {"systemMessage": f"You look after {task}. " + " ".join(rng.sample(STEPS, 4))},
        "promptType": "define",
    }


def _model(rng: Random) -> Parameters:
    name = rng.choice(("gpt-4.1-mini", "gpt-4o", "gemini-2.5-flash"))
    return {"model": {"__rl": True, "mode": "list", "value": name}, "options": {}}


def _mail(rng: Random) -> Parameters:
    return {
        "sendTo": "user@example.com",
        "message": f"=<p>{rng.choice(SENTENCES)}</p>",
        "options": {},
        "subject": f"=Your {rng.choice(NODE_WORDS)} of {{{{ $today }}}}",
    }


def _sheet(rng: Random) -> Parameters:
    return {
        "options": {},
        "operation": rng.choice(("append", "read", "appendOrUpdate")),
        "sheetName": {"__rl": True, "mode": "list", "value": "gid=0", "cachedResultName": "Sheet1"},
        "documentId": {
            "__rl": True,
            "mode": "url",
            "value": "https://docs.google.com/spreadsheets/d/YOUR_AWS_SECRET_KEY_HERE/edit",
        },
    }


def _service(rng: Random) -> Parameters:
    return {
        "options": {},
        "resource": rng.choice(("record", "message", "page", "contact")),
        "operation": rng.choice(("create", "get", "getAll", "update")),
        "text": f"={rng.choice(SENTENCES)} {{{{ $json.name }}}}",
        "additionalFields": {"tag": rng.choice(NODE_WORDS)},
    }


_MAKERS: dict[str, Callable[[Random], Parameters]] = {
    BASE + "manualTrigger": _nothing,
    BASE + "scheduleTrigger": _schedule,
    BASE + "webhook": _webhook,
    LANGCHAIN + "chatTrigger": _options_only,
    BASE + "code": _code,
    BASE + "httpRequest": _http,
    BASE + "set": _set,
    BASE + "if": _condition,
    BASE + "filter": _condition,
    BASE + "merge": _nothing,
    BASE + "splitInBatches": _options_only,
    BASE + "wait": _nothing,
    BASE + "noOp": _nothing,
    BASE + "aggregate": _options_only,
    BASE + "gmail": _mail,
    BASE + "emailSend": _mail,
    BASE + "googleSheets": _sheet,
    BASE + "googleSheetsTool": _sheet,
    LANGCHAIN + "agent": _agent,
    LANGCHAIN + "chainLlm": _agent,
    LANGCHAIN + "lmChatOpenAi": _model,
    LANGCHAIN + "lmChatGoogleGemini": _model,
    LANGCHAIN + "memoryBufferWindow": _nothing,
    LANGCHAIN + "toolCalculator": _nothing,
}
