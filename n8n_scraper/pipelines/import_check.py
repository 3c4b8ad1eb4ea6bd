"""Say of each workflow whether n8n takes it."""

from __future__ import annotations

from n8n_scraper.items import Template
from n8n_scraper.policies.import_check import check_import
from n8n_scraper.policies.node_table import shipped_table


class ImportCheckPipeline:
    """Give every template with a workflow its import verdict."""

    def process_item(self, item: object) -> object:
        """Judge templates, and let items of other kinds pass."""
        if isinstance(item, Template):
            judge(item)
        return item


def judge(template: Template) -> None:
    """Fill in the verdict; a template without a workflow gets the workflow's reason."""
    if template.workflow is None:
        why = template.unobserved.get("workflow", "there is no workflow")
        template.unobserved = {**template.unobserved, "import_check": why}
        return
    verdict = check_import(template.workflow, name=template.title, table=shipped_table())
    template.observe("import_check", verdict, "computed")
