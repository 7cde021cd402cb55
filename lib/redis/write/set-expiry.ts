/**
 * Sets an expiry only if the key is still what was approved and has the expiry that was read before, so no other
 * client's change is overwritten. Every expiry is by the server's clock and is compared with it in the script that sets
 * it, because an expiry in the past would delete the key at once. The script has a deadline, so one that arrives late
 * changes nothing.
 */

import { isSizedType, LENGTH_COMMANDS, type SizedType } from '@/lib/redis/keys/length-commands';
import { readDeadline } from './read-deadline';
import { LUA_NO_CLOCK, LUA_NOW } from './server-time';
import type { Args, WritingChannel } from './types';
import { scriptDenied, WriteFailure } from './write-failure';

export interface ExpiryRequest {
  name: Buffer;
  /** The expiry to set, epoch ms by the server's clock; null = none. */
  expireAt: number | null;
  /** The expiry that was read before, epoch ms; null = none. */
  expected: number | null;
  /** The type that was read before; absent = not compared. */
  type?: string;
  /** Least and most elements (bytes of a string); absent or null = not compared. */
  lengths?: readonly [number, number] | null;
}
/**
 * set: the key has the new expiry, also if it had it before, because an answer may have been lost · past: the new
 * expiry is in the past, and setting it would delete the key · late: the deadline had passed. Nothing was done unless
 * it is `set`.
 */
export type ExpiryOutcome = 'set' | 'had_one' | 'vanished' | 'changed' | 'past' | 'late';

/**
 * Without PEXPIRETIME (before Redis 7) only the remaining time is known: expiries this close, in ms, count as equal.
 */
export const ABOUT_MS = 2000;

/** `x` = the expected expiry, `y` = the new one; -1 = none. */
const SCRIPT = `${LUA_NOW}local deadline = tonumber(ARGV[3])
local clock, latest = now(deadline)
if not clock then ${LUA_NO_CLOCK} end
local x = tonumber(ARGV[1])
local y = tonumber(ARGV[2])
if clock > deadline then return 'late' end
local p = redis.call('PTTL', KEYS[1])
if p == -2 then return 'vanished' end
local e = -1
if p >= 0 then
  e = redis.pcall('PEXPIRETIME', KEYS[1])
  if type(e) ~= 'number' then
    e = clock + p
    if x >= 0 and math.abs(e - x) <= ${ABOUT_MS} then e = x
    elseif y >= 0 and math.abs(e - y) <= ${ABOUT_MS} then e = y end
  end
end
if e == y then return 'set' end
if y >= 0 and y <= latest then return 'past' end
if e ~= x then
  if x == -1 then return 'had_one' end
  return 'changed'
end
if ARGV[4] ~= '' then
  local t = redis.call('TYPE', KEYS[1])
  if type(t) == 'table' then t = t['ok'] end
  if t ~= ARGV[4] then return 'changed' end
  if ARGV[5] ~= '' then
    local n = redis.call(ARGV[5], KEYS[1])
    if n < tonumber(ARGV[6]) or n > tonumber(ARGV[7]) then return 'changed' end
  end
end
if ARGV[2] == '-1' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
return 'set'`;

/** `deadline`: epoch ms by the server's clock, from an earlier reading of the keys; absent = read the clock now. */
export async function setExpiries(
  channel: WritingChannel,
  requests: readonly ExpiryRequest[],
  deadline?: number,
): Promise<ExpiryOutcome[]> {
  const end = deadline ?? (await readDeadline(channel));
  const replies = await channel.callAll(requests.map((request) => buildEvalArgs(request, end)));
  return replies.map((reply) => {
    if (Buffer.isBuffer(reply)) return reply.toString('latin1') as ExpiryOutcome;
    if (reply instanceof Error) throw scriptDenied(reply);
    throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to an expiry.');
  });
}

const buildEvalArgs = ({ name, expected, expireAt, type, lengths }: ExpiryRequest, deadline: number): Args => [
  'EVAL',
  SCRIPT,
  '1',
  name,
  String(expected ?? -1),
  String(expireAt ?? -1),
  String(deadline),
  type ?? '',
  lengths && isSizedType(type ?? null) ? LENGTH_COMMANDS[type as SizedType] : '',
  ...(lengths ?? ['', '']).map(String),
];
