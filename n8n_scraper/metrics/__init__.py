"""What Prometheus is told: the figures of `reports/` and of a crawl under way, with labels.

`catalogue.py` is the one table of what there is; nothing is exposed that it does not name.
"""
