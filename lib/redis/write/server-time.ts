/** A command that compares first is carried out within this time of the look it belongs to, or not at all. */
export const IN_TIME_MS = 5_000;

/**
 * Lua: `now()` is the server's clock, epoch ms. TIME may be denied to users made for earlier versions; INFO tells the
 * same. nil where neither does. Effects are replicated, not the script: before Redis 5 that has to be asked for.
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

/** Lua, behind LUA_NOW: the answer of a script to a server whose clock may not be read. Another form is tried then. */
export const LUA_NO_CLOCK = `return redis.error_reply('NOPERM the clock of the server may not be read')`;
