"""Holds the vocabulary of the invented catalogue."""

VERBS = (
    "Automate",
    "Sync",
    "Summarize",
    "Send",
    "Track",
    "Create",
    "Enrich",
    "Monitor",
    "Generate",
    "Classify",
    "Archive",
    "Publish",
    "Collect",
    "Translate",
    "Score",
    "Schedule",
    "Back up",
    "Route",
    "Compare",
    "Extract",
)

OBJECTS = (
    "invoices",
    "support tickets",
    "customer feedback",
    "meeting notes",
    "sales leads",
    "weekly reports",
    "product photos",
    "job applications",
    "server alerts",
    "blog drafts",
    "podcast episodes",
    "delivery slips",
    "inventory counts",
    "research papers",
    "newsletter signups",
    "travel bookings",
    "course materials",
    "bug reports",
    "price changes",
    "social posts",
    "contracts",
    "calendar events",
    "warranty claims",
    "plant sensor readings",
    "recipe cards",
    "voice messages",
)

APPS = (
    "Google Sheets",
    "Slack",
    "Gmail",
    "Notion",
    "Airtable",
    "Telegram",
    "HubSpot",
    "Postgres",
    "GitHub",
    "Google Drive",
    "Discord",
    "WhatsApp",
    "OpenAI",
    "Google Gemini",
    "Pinecone",
    "Jira",
    "Trello",
    "Shopify",
    "Stripe",
    "MySQL",
    "Zendesk",
    "Typeform",
)

TITLE_PATTERNS = (
    "{verb} {thing} with {app} & {other}",
    "{verb} {thing} from {app} to {other}",
    "{verb} {thing} using {app}, {other} and GPT-4.1",
    "AI agent: {verb} {thing} in {app}",
    "🚀 {verb} {thing} with {app} – {other} edition",
    "{verb} {thing} & {other} {suffix} in {app}",
    "{app} Q&A bot for {thing} ({suffix})",
    "{verb} {thing} 100% automatically with {app} and {other}",
    "{verb} {thing} between {app} and {other} {suffix}",
    "📊 {verb} {thing}: {app} → {other}",
    "{verb} café {thing} with {app} ({suffix})",
    "{verb} {thing} via cal.com, {app} and {other}",
)

SUFFIXES = (
    "every morning",
    "in minutes",
    "for small teams",
    "step by step",
    "without code",
    "on a schedule",
    "the easy way",
    "with approval",
    "at scale",
    "for agencies",
    "with error handling",
    "and backups",
)

STUDIO_FIRST = (
    "Copperleaf",
    "Bluefinch",
    "Quiet Harbour",
    "Paper Lantern",
    "Northwillow",
    "Brass Kettle",
    "Mossy Gate",
    "Ninth Bridge",
    "Saltmarsh",
    "Tin Comet",
    "Velvet Gear",
    "Amber Otter",
    "Hollow Reed",
    "Silver Thistle",
    "Wander Loom",
)

STUDIO_LAST = (
    "Automations",
    "Works",
    "Lab",
    "Flows",
    "Studio",
    "Workshop",
    "Collective",
    "Systems",
    "Digital",
)

BIOS = (
    "We build small automations that save long evenings.",
    "Automation workshop for teams that would rather do the interesting part.\n\nBook a call:",
    "Flows, agents and the occasional spreadsheet.",
    "Helping shops and schools connect the tools they already own.",
    "Half engineering, half gardening: we prune processes until they grow by themselves.",
)

SENTENCES = (
    "It runs on its own and tells you only when something needs your attention.",
    "Every step is documented in a sticky note on the canvas.",
    "No coding is required beyond filling in your own accounts.",
    "Duplicate entries are skipped, so it can run as often as you like.",
    "The result is written back to the same table it came from.",
    "A human approves each message before it leaves the house.",
    "You can swap the language model for any other one you prefer.",
    "Failures are collected in one place, with the row they belong to.",
    "It was made for a team of five and has grown since.",
    "Large files are handled in small batches.",
    "The prompt is short on purpose, adapt it to your own tone.",
    "Works the same on a self-hosted instance and in the cloud.",
)

STEPS = (
    "A trigger starts the flow on your schedule.",
    "The newest rows are read and compared with the last run.",
    "Anything incomplete is set aside for later.",
    "The language model writes a short summary of each entry.",
    "A condition decides who needs to know.",
    "The message is sent to the right channel.",
    "Results are stored together with their date.",
    "A final note tells you how many entries were handled.",
)

SETUP_STEPS = (
    "Connect your **credentials** in each highlighted node.",
    "Copy the [sample table](https://docs.example.com/sample-table) into your own account.",
    "Replace the channel name in the **Send** node.",
    "Choose how often the trigger should fire.",
    "Run the flow once by hand and check the output.",
    "Activate the workflow.",
)

NON_ASCII_NAMES = (
    "Größe prüfen",
    "顧客データを取得",
    "Enviar notificación",
    "Обновить таблицу",
    "إرسال التقرير",
    "📬 Posteingang",
    "Créer un résumé",
)

NODE_WORDS = (
    "new rows",
    "pending items",
    "daily digest",
    "report",
    "customer record",
    "attachment",
    "summary",
    "invoice lines",
    "approval",
    "error details",
    "team channel",
    "draft",
    "search results",
    "image prompt",
    "transcript",
)

TESTIMONIALS = (
    ("Saved our team a day every week. I do not know how we worked before.", "Quill Featherby"),
    ("The best tool I have opened this year, and I open many.", "Marlo Penwhistle"),
    ("Our author pipeline went from days to minutes.", "Tansy Copperkettle"),
)
