"""Celery as the control plane of many workers: `celery -A n8n_scraper.workers worker`.

Celery finds its app in `celery.py`. Nothing here is imported by a crawl, and nothing but that
module and those it names needs Celery to be installed.
"""
