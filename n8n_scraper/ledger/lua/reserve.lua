-- Reserves tokens of a domain as DomainState.reserved does, by this server's own clock.
-- Gives 1 or 0 (nothing reserved: ask how it stands, and why), the time, and both hashes.
--
-- Numbers travel as text with 17 digits: by itself Lua writes 14, and a moment needs 16.
local bucket, circuit = KEYS[1], KEYS[2]
local epoch, lead, slack, cost = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local unused_next_at, back_to = tonumber(ARGV[5]), tonumber(ARGV[6])
local answers = tonumber(ARGV[7])
local most_ahead, set_back, lifetime = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])

local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000

local function text(number)
  return string.format('%.17g', number)
end

local function answer(reserved)
  return {reserved, text(now), redis.call('HGETALL', bucket), redis.call('HGETALL', circuit)}
end

local known = redis.call('HMGET', bucket, 'epoch', 'next_at', 'noted_at', 'answers_since')
if known[1] ~= epoch or tonumber(known[3]) > now + set_back then
  return answer(0)
end
local next_at = tonumber(known[2])
if next_at == unused_next_at then
  next_at = back_to
end
local due = math.max(next_at, now + lead - slack)
if due > now + most_ahead then
  return answer(0)
end

redis.call('HSET', bucket, 'next_at', text(due + cost), 'noted_at', text(now))
redis.call('HINCRBY', bucket, 'revision', 1)
if answers > 0 then
  redis.call('HINCRBY', bucket, 'answers', answers)
  if known[4] == '' then
    redis.call('HSET', bucket, 'answers_since', text(now))
  end
end
for _, key in ipairs(KEYS) do
  if redis.call('TTL', key) < lifetime then
    redis.call('EXPIRE', key, lifetime)
  end
end
return answer(1)
