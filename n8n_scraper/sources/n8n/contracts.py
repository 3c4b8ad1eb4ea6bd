"""What `scrapy check` promises of the callbacks, tried against whatever site the settings name."""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.contracts import Contract
from scrapy.exceptions import ContractFail
from scrapy.utils.project import get_project_settings

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.typed_settings import text
from n8n_scraper.sources.n8n.addresses import Addresses
from n8n_scraper.sources.n8n.item import Template, broken_promises
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.spiders.planned import PART


class SiteContract(Contract):
    """Sets the request's address by the settings."""

    def _addresses(self) -> Addresses:
        return Addresses.from_settings(get_project_settings())


class TemplateContract(SiteContract):
    """`@template LAYER`: ask for this layer of the template `N8N_CONTRACT_ID`."""

    name = "template"

    def adjust_request_args(self, args: dict[str, Any]) -> dict[str, Any]:
        """Ask for it alone: the callback goes on from there."""
        planned = Planned(text(get_project_settings(), "N8N_CONTRACT_ID"))
        return {**args, "url": self._addresses().of(Layer(self.args[0]), planned)}


class SearchContract(SiteContract):
    """`@search CATEGORY`: ask for the last page of a search."""

    name = "search"

    def adjust_request_args(self, args: dict[str, Any]) -> dict[str, Any]:
        """Ask for a page far beyond any end, which a search answers with an empty list."""
        url = self._addresses().search(self.args[0], 1)
        return {**args, "url": url, "cb_kwargs": {"page": 10**6}}


class InventoryContract(SiteContract):
    """`@inventory`: ask for the file at which the inventory begins."""

    name = "inventory"

    def adjust_request_args(self, args: dict[str, Any]) -> dict[str, Any]:
        """Ask for it."""
        return {**args, "url": self._addresses().inventory}


class NextContract(Contract):
    """`@next LAYER`: the callback goes on to this layer."""

    name = "next"

    def post_process(self, output: list[Any]) -> None:
        """Look for the request of that layer."""
        layers = [one.meta.get(PART) for one in output if isinstance(one, Request)]
        if layers != [Layer(self.args[0])]:
            raise ContractFail(f"expected a request for {self.args[0]}, found {layers}")


class WholeTemplateContract(Contract):
    """`@whole_template`: the callback gives one template that keeps the contract."""

    name = "whole_template"

    def post_process(self, output: list[Any]) -> None:
        """Look for the item and judge it."""
        items = [one for one in output if isinstance(one, Template)]
        if len(items) != 1:
            raise ContractFail(f"expected one template, found {len(items)}")
        if broken := broken_promises(items[0]):
            raise ContractFail("; ".join(broken))
