# One word for each thing a person does here. `make` alone names them.
.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install -c constraints.txt
# The project is used from its folder, not installed: Python must look here.
export PYTHONPATH := $(CURDIR)

help: ## name the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: .venv/runtime ## crawl a local stand-in of n8n.io at the real pace, in about two minutes
	@$(BIN)/scrapy demo

crawl: .venv/runtime ## crawl the real n8n.io into data/n8n.db; again to go on
	@$(BIN)/scrapy crawl workflows -s JOBDIR=state

replica: .venv/runtime ## serve the stand-in on port 8808 until Ctrl-C
	@$(BIN)/scrapy replica --port 8808

# Four processes on two cores: some tests wait for a pace, and a core waits with them.
# A test that hangs fails after two minutes; one that hangs even then ends its worker, and says where.
SUITE = $(BIN)/python -m pytest -n 4 --dist worksteal -q \
	-o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true

test: .venv/dev ## run the whole test suite
	@$(SUITE)

further: .venv/dev ## run what goes further than the suite: other databases, sites and deaths
	@$(SUITE) -m "further and not long"

cover: .venv/dev ## run the suite and show which branches it never takes
	@rm -f .coverage .coverage.*
	@$(SUITE) --cov --cov-report=
	@$(BIN)/python -m coverage report

check: .venv/dev ## lint, format, types, rooms and spelling
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/codespell

format: .venv/dev ## bring the code into shape
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

bench: .venv/dev ## measure what the documentation promises
	@$(BIN)/python -m pytest tests/bench tests/replica/test_speed.py -q -s -m 'long or not long' -p no:cacheprovider

soak: .venv/dev ## kill a crawl 200 times (KILLS=200), on both databases
	@$(BIN)/python -m pytest tests/soak tests/integration -q -s -m long -p no:cacheprovider

fuzz: .venv/dev ## send 100,000 broken answers (FUZZ=100000) through the pages, and try properties at length
	@$(BIN)/python -m pytest tests/fuzz -q -s -m long -p no:cacheprovider
	@HYPOTHESIS_PROFILE=thorough $(SUITE) -m hypothesis --timeout 1200

cassettes: .venv/dev ## record the pages' cassettes anew from the stand-in
	@$(BIN)/python tests/pages/record.py

n8n: .venv/dev ## install a real n8n into .n8n, and hold exports and templates host to it
	@scripts/n8n.sh .n8n
	@$(BIN)/python -m pytest tests/n8n -q -s -m long -p no:cacheprovider

constraints: ## pin anew whatever the pinned packages bring along
	@scripts/venv.sh .constraints
	@.constraints/bin/python -m pip --quiet install -r requirements-dev.txt
	@(head -1 constraints.txt; .constraints/bin/python -m pip freeze | sort -f) > .constraints/new
	@mv .constraints/new constraints.txt && rm -rf .constraints

clean: ## remove what was installed and measured; data and state stay
	rm -rf .venv .bootstrap .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

.venv/bin/python:
	@scripts/venv.sh .venv

.venv/runtime: requirements.txt constraints.txt | .venv/bin/python
	@echo "Installing what the scraper needs ..."
	@$(INSTALL) -r requirements.txt
	@touch $@

.venv/dev: requirements.txt requirements-dev.txt constraints.txt | .venv/bin/python
	@echo "Installing what the tests need ..."
	@$(INSTALL) -r requirements-dev.txt
	@touch $@ .venv/runtime

.PHONY: help demo crawl replica test further cover check format bench soak fuzz cassettes n8n constraints clean
