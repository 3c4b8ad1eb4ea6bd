-- Writes how a domain stands, if nothing has come between: its revision is the known one still.
-- Gives 1 or 0. ARGV: known revision, lifetime, number of the bucket's fields, both hashes.
local bucket, circuit = KEYS[1], KEYS[2]
if (redis.call('HGET', bucket, 'revision') or '0') ~= ARGV[1] then
  return 0
end
local last_of_bucket = 3 + 2 * tonumber(ARGV[3])
redis.call('HSET', bucket, unpack(ARGV, 4, last_of_bucket))
redis.call('HSET', circuit, unpack(ARGV, last_of_bucket + 1))
redis.call('EXPIRE', bucket, ARGV[2])
redis.call('EXPIRE', circuit, ARGV[2])
return 1
