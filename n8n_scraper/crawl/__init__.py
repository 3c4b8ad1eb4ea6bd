"""The machinery between Scrapy and the policies that is no middleware, pipeline or extension."""
