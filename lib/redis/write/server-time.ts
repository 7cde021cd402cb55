/** A script that compares first is carried out within this many ms of reading the clock, or not at all. */
export const IN_TIME_MS = 5_000;

/**
 * Whether a script can have a deadline. Before 3.2 one that has read the clock may not write, so it may be carried out
 * at any later time.
 */
export function haveScriptsDeadlines(version: string | null): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  return major === undefined || Number(major) * 100 + Number(minor) >= 302;
}

/**
 * Lua: `now(deadline)` returns the earliest and the latest epoch ms that the server's clock can show, which are the
 * same if the script may read the clock, or nil if neither TIME nor INFO reports it. TIME may be denied to users made
 * for earlier versions; INFO reports the same. A script that reads the clock may write only if its effects are
 * replicated instead of the script itself, which must be requested before Redis 5. Before 3.2 this is not possible, so
 * the clock is not read: it is assumed to lie between the time that the deadline was counted from and the deadline.
 */
export const LUA_NOW = `if redis.replicate_commands then redis.replicate_commands() end
local function now(deadline)
  if not redis.replicate_commands and not redis.REDIS_VERSION then return deadline - ${IN_TIME_MS}, deadline end
  local t = redis.pcall('TIME')
  local u = not t['err'] and t[1] * 1000000 + t[2]
  if not u then
    local i = redis.pcall('INFO', 'server')
    u = type(i) == 'string' and tonumber(string.match(i, 'server_time_usec:(%d+)'))
  end
  if not u then return nil end
  return math.floor(u / 1000), math.floor(u / 1000)
end
`;

/** Lua, used after LUA_NOW: the script's reply if the clock may not be read. The caller then acts without a script. */
export const LUA_NO_CLOCK = `return redis.error_reply('NOPERM the clock of the server may not be read')`;
