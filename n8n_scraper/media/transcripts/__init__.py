"""What videos say: asking the video host, at its own pace, apart from the crawl."""
