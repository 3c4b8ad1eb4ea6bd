"""Lets secrets slip into templates the way real authors do, and says where they stand.

Every secret is forged, and every template that has one also has the site's own placeholders and
other look-alikes, which are none.
"""

from typing import Any

from n8n_scraper.sources.n8n.replica import forged_secrets as forge
from n8n_scraper.sources.n8n.replica.drafts import Draft, PlantedSecret
from n8n_scraper.sources.n8n.replica.layouts import Edge, Node, stored_order
from n8n_scraper.sources.n8n.replica.node_kinds import (
    BASE,
    KIND_BY_TYPE,
    STICKY_NOTE,
    kinds_of_role,
)
from n8n_scraper.sources.n8n.replica.workflows import new_id

_TRIGGERS = {kind.type for kind in kinds_of_role("trigger")}
_LOOK_ALIKES = {
    # What the site puts in the place of secrets.
    "authorization": "Bearer YOUR_TOKEN_HERE",
    "api_key": "YOUR_OPENAI_KEY_HERE",
    "document": "https://docs.google.com/document/d/YOUR_AWS_SECRET_KEY_HERE/edit",
    "contact": "user@example.com",
    # What careful authors write.
    "access_token": "={{ $json.access_token }}",
    "openai_key": "sk-" + "x" * 40,
    "password": "<your password>",
    "webhook": "https://hooks.slack.com/services/YOUR/SLACK/WEBHOOK",
    # What only looks like a secret.
    "logo": "logo@2x.png",
    "nextPageToken": "CAoQAA7f3e2b1c0d9a8b7c6d",
}


def aws_keys_in_code(draft: Draft) -> None:
    """Write both parts of an AWS key into code."""
    number, key = forge.aws_pair(draft.rng)
    code = f"const awsAccessKeyId = '{number}';\nconst awsSecretAccessKey = '{key}';"
    place = _add_step(draft, "code", {"jsCode": code})
    _planted(draft, "AWS key id", number, f"{place}.jsCode")
    _planted(draft, "AWS secret key", key, f"{place}.jsCode")


def github_token_twice_in_code(draft: Draft) -> None:
    """Write a token of GitHub into code, and into the comment below it."""
    token = forge.github_token(draft.rng)
    code = f'const headers = {{ Authorization: "token {token}" }};\n// it was "{token}"'
    place = _add_step(draft, "code", {"jsCode": code})
    _planted(draft, "GitHub token", token, f"{place}.jsCode", count=2)


def gitlab_token_in_header(draft: Draft) -> None:
    """Write a token of GitLab into a header."""
    token = forge.gitlab_token(draft.rng)
    _planted(draft, "GitLab token", token, _add_header(draft, "PRIVATE-TOKEN", token))


def slack_token_in_header(draft: Draft) -> None:
    """Write the token of a Slack bot into a header."""
    token = forge.slack_token(draft.rng)
    _planted(draft, "Slack token", token, _add_header(draft, "Authorization", f"Bearer {token}"))


def slack_webhook_as_address(draft: Draft) -> None:
    """Post to the address of a Slack channel."""
    address = forge.slack_webhook(draft.rng)
    place = _add_step(draft, "httpRequest", {"url": address, "method": "POST"})
    _planted(draft, "Slack webhook", address, f"{place}.url")


def discord_webhook_in_note(draft: Draft) -> None:
    """Write the address of a Discord channel into a note."""
    address = forge.discord_webhook(draft.rng)
    place = _add_note(draft, f"## Alerts\nThey go to [our channel]({address}).")
    _planted(draft, "Discord webhook", address, place)


def stripe_key_in_json_body(draft: Draft) -> None:
    """Write a key of Stripe into a body that is JSON inside a string."""
    key = forge.stripe_key(draft.rng)
    body = f'={{"key": "{key}", "amount": {{{{ $json.total }}}}}}'
    place = _add_step(draft, "httpRequest", {"method": "POST", "jsonBody": body})
    _planted(draft, "Stripe key", key, f"{place}.jsonBody")


def openai_key_in_header(draft: Draft) -> None:
    """Write a key of OpenAI into a header, the commonest slip of all."""
    key = forge.openai_key(draft.rng)
    _planted(draft, "OpenAI key", key, _add_header(draft, "Authorization", f"Bearer {key}"))


def anthropic_key_in_header(draft: Draft) -> None:
    """Write a key of Anthropic into a header."""
    key = forge.anthropic_key(draft.rng)
    _planted(draft, "Anthropic key", key, _add_header(draft, "x-api-key", key))


def google_key_in_query(draft: Draft) -> None:
    """Write a key of Google into the query of an address."""
    key = forge.google_key(draft.rng)
    url = f"=https://maps.googleapis.com/maps/api/geocode/json?address={{{{ $json.to }}}}&key={key}"
    _planted(draft, "Google API key", key, f"{_add_step(draft, 'httpRequest', {'url': url})}.url")


def telegram_token_in_path(draft: Draft) -> None:
    """Write the token of a Telegram bot into the path of an address."""
    token = forge.telegram_token(draft.rng)
    url = f"https://api.telegram.org/bot{token}/sendMessage"
    place = _add_step(draft, "httpRequest", {"url": url})
    _planted(draft, "Telegram bot token", token, f"{place}.url")


def sendgrid_key_in_pinned_data(draft: Draft) -> None:
    """Leave a key of SendGrid in the pinned data of a node that is gone."""
    key = forge.sendgrid_key(draft.rng)
    draft.workflow["pinData"] = {"Settings": [{"json": {"mail": {"sendgrid": key}}}]}
    _planted(draft, "SendGrid key", key, "workflow.pinData.Settings[0].json.mail.sendgrid")


def twilio_key_in_note(draft: Draft) -> None:
    """Write a key of Twilio into a note, on a line of its own."""
    key = forge.twilio_key(draft.rng)
    _planted(draft, "Twilio key", key, _add_note(draft, f"### Setup\nPaste this key:\n\n`{key}`"))


def jwt_in_pinned_data(draft: Draft) -> None:
    """Leave a signed statement in the headers of a pinned call."""
    token = forge.jwt(draft.rng)
    headers = {"accept": "*/*", "x-session": token}
    draft.workflow["pinData"] = {"Incoming call": [{"json": {"headers": headers}}]}
    place = 'workflow.pinData["Incoming call"][0].json.headers["x-session"]'
    _planted(draft, "JWT", token, place)


def private_key_in_assignment(draft: Draft) -> None:
    """Assign a private key, with its line breaks."""
    key = forge.private_key(draft.rng)
    place = _add_assignments(draft, {"service_account": key})
    _planted(draft, "private key", key, f"{place}[0].value")


def password_in_address(draft: Draft) -> None:
    """Write user and password into the address of a database."""
    password = forge.letters(draft.rng, 12)
    login = f"shop:{password}"
    place = _add_step(draft, "code", {"jsCode": f"const db = 'postgres://{login}@db.lanternpost';"})
    _planted(draft, "password in a URL", password, f"{place}.jsCode")


def basic_authorization_in_header(draft: Draft) -> None:
    """Write user and password into a header, which base64 does not hide."""
    pair = forge.basic_pair(draft.rng)
    place = _add_header(draft, "Authorization", f"Basic {pair}")
    _planted(draft, "basic authorization", pair, place)


def bearer_token_in_command(draft: Draft) -> None:
    """Write a token without any form of its own into a note, inside a command."""
    token = forge.letters(draft.rng, 40)
    text = (
        f'Try it:\n```sh\ncurl -H "Authorization: Bearer {token}" https://api.lanternpost/me\n```'
    )
    _planted(draft, "bearer token", token, _add_note(draft, text))


def words_under_telling_names(draft: Draft) -> None:
    """Assign a key and a password that only their names give away; 11007 has such a password."""
    key, password = forge.letters(draft.rng, 32), forge.letters(draft.rng, 12)
    place = _add_assignments(draft, {"tavily_api_key": key, "ftp_password": password})
    _planted(draft, "API key", key, f"{place}[0].value")
    _planted(draft, "password", password, f"{place}[1].value")


def addresses_and_tokens_in_texts(draft: Draft) -> None:
    """Write an e-mail address and several tokens into the description and a note."""
    address = forge.email_address(draft.rng)
    draft.description.markdown += f"\n\nQuestions? [{address}](mailto:{address})"
    _planted(draft, "email", address, "description", count=2)
    tokens = {
        "Airtable token": forge.airtable_token(draft.rng),
        "Hugging Face token": forge.hugging_face_token(draft.rng),
        "Notion token": forge.notion_token(draft.rng),
    }
    place = _add_note(draft, "\n".join(f"- {kind}: {token}" for kind, token in tokens.items()))
    for kind, token in tokens.items():
        _planted(draft, kind, token, place)


SLIPS = (
    aws_keys_in_code,
    github_token_twice_in_code,
    gitlab_token_in_header,
    slack_token_in_header,
    slack_webhook_as_address,
    discord_webhook_in_note,
    stripe_key_in_json_body,
    openai_key_in_header,
    anthropic_key_in_header,
    google_key_in_query,
    telegram_token_in_path,
    sendgrid_key_in_pinned_data,
    twilio_key_in_note,
    jwt_in_pinned_data,
    private_key_in_assignment,
    password_in_address,
    basic_authorization_in_header,
    bearer_token_in_command,
    words_under_telling_names,
    addresses_and_tokens_in_texts,
)


def add_look_alikes(draft: Draft) -> None:
    """Add what no search for secrets may report, in parameters and in a note."""
    _add_assignments(draft, _LOOK_ALIKES)
    _add_note(draft, "\n".join(f"- {name}: {value}" for name, value in _LOOK_ALIKES.items()))


def _planted(draft: Draft, kind: str, secret: str, place: str, count: int = 1) -> None:
    draft.secrets.append(PlantedSecret(kind, place, count, secret))


def _add_header(draft: Draft, name: str, value: str) -> str:
    """Add a request with this header, and say where the value stands."""
    headers = {"parameters": [{"name": name, "value": value}]}
    parameters = {"url": "https://api.example.com/v1/me", "headerParameters": headers}
    place = _add_step(draft, "httpRequest", parameters)
    return f"{place}.headerParameters.parameters[0].value"


def _add_assignments(draft: Draft, values: dict[str, str]) -> str:
    """Add a node that gives these names their values, and say where the list of them stands."""
    assigned = [
        {"id": new_id(draft.rng), "name": name, "type": "string", "value": value}
        for name, value in values.items()
    ]
    place = _add_step(draft, "set", {"assignments": {"assignments": assigned}})
    return f"{place}.assignments.assignments"


def _add_step(draft: Draft, kind: str, parameters: dict[str, Any]) -> str:
    """Add a node after the trigger, and say where its parameters stand."""
    trigger = next(node["name"] for node in draft.steps if node["type"] in _TRIGGERS)
    name = f"Step {len(draft.nodes)}"
    _add_node(draft, BASE + kind, name, parameters)
    draft.edges.append(Edge(trigger, "main", 0, name, "main", 0))
    draft.rewrite_connections()
    return f"workflow.nodes[{len(draft.nodes) - 1}].parameters"


def _add_note(draft: Draft, content: str) -> str:
    """Add a note, and say where its text stands."""
    size = {"width": 460, "height": 320}
    _add_node(draft, STICKY_NOTE, f"Note {len(draft.nodes)}", {"content": content, **size})
    return f"notes[{len(draft.notes) - 1}].text"


def _add_node(draft: Draft, kind: str, name: str, parameters: dict[str, Any]) -> None:
    version = KIND_BY_TYPE[kind].versions[-1] if kind in KIND_BY_TYPE else 1
    node: Node = {
        "id": new_id(draft.rng),
        "name": name,
        "type": kind,
        "position": [-900, 400 * len(draft.nodes)],
        "parameters": parameters,
        "typeVersion": version,
    }
    draft.nodes.append(stored_order(node))
