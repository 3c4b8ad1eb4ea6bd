# The image of worker, beat and page in compose.yaml.
FROM python:3.11.11-slim-bookworm

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONPATH=/app PYTHONUNBUFFERED=1
RUN useradd --create-home --uid 10001 n8n && install --directory --owner=n8n /app/data
WORKDIR /app

COPY requirements.txt requirements-workers.txt requirements-alerts.txt requirements-assistants.txt constraints.txt ./
RUN pip install --constraint constraints.txt --requirement requirements.txt --requirement requirements-workers.txt \
    --requirement requirements-alerts.txt --requirement requirements-assistants.txt
COPY scrapy.cfg ./
COPY n8n_scraper n8n_scraper

USER n8n
CMD ["scrapy", "preflight"]
