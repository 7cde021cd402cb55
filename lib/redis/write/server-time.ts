/** A command that compares first is carried out within this many ms of reading the clock, or not at all. */
export const IN_TIME_MS = 5_000;

/**
 * Lua: `now()` returns the server's clock in epoch ms, or nil if neither TIME nor INFO reports it. TIME may be denied
 * to users made for earlier versions; INFO reports the same. Effects are replicated instead of the script, which must
 * be requested before Redis 5.
 */
export const LUA_NOW = `if redis.replicate_commands then redis.replicate_commands() end
local function now()
  local t = redis.pcall('TIME')
  if not t['err'] then return t[1] * 1000 + math.floor(t[2] / 1000) end
  local i = redis.pcall('INFO', 'server')
  local u = type(i) == 'string' and string.match(i, 'server_time_usec:(%d+)')
  return u and math.floor(tonumber(u) / 1000) or nil
end
`;

/** Lua, used after LUA_NOW: the script's reply if the server's clock may not be read. Another form is tried then. */
export const LUA_NO_CLOCK = `return redis.error_reply('NOPERM the clock of the server may not be read')`;
