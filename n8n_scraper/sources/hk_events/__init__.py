"""Cultural events of Hong Kong, from the open data of its leisure department."""
