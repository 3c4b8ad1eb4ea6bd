"""A pipeline of somebody else's, for a place between ours."""


class MarkingPipeline:
    """Writes an address into each description, and drops the workflow's first node."""

    def process_item(self, item):
        """Change an item, at its top and deep inside."""
        item.description = f"{item.description} Write to ada@acme.io."
        item.workflow["nodes"].pop(0)
        return item
