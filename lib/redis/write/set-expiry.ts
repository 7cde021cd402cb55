import { isSizedType, LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import { readDeadline } from './read-deadline';
import { LUA_NO_CLOCK, LUA_NOW } from './server-time';
import type { Args, WritingChannel } from './types';
import { scriptDenied, WriteFailure } from './write-failure';

/**
 * Sets an expiry only if the key is still what was approved and has the expiry that was read before, so no other
 * client's change is overwritten. Every expiry is by the server's clock and is compared with it in the script that sets
 * it, because an expiry in the past would delete the key at once. The script has a deadline, so one that arrives late
 * changes nothing.
 */
export interface ExpiryRequest {
  name: Buffer;
  /** Epoch ms by the server's clock. */
  expireAt: number;
  only: 'none' | 'all';
  /** The expiry that was read before, epoch ms; null = none. */
  expected: number | null;
  /** The type that was read before; absent = not compared. */
  type?: string;
  /** Least and most elements (bytes of a string); absent or null = not compared. */
  lengths?: readonly [number, number] | null;
}
export interface ExpiryOutcome {
  /**
   * set: the key has the new expiry, also if it had it before, because an answer may have been lost · past: the new
   * expiry is in the past, and setting it would delete the key · late: the deadline had passed. Nothing was done unless
   * it is `set`.
   */
  outcome: 'set' | 'had_one' | 'vanished' | 'changed' | 'past' | 'late';
}

/**
 * Without PEXPIRETIME (before Redis 7) only the remaining time is known: expiries this close, in ms, count as equal.
 */
export const ABOUT_MS = 2000;

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
export function setExpiries(
  channel: WritingChannel,
  options: readonly ExpiryRequest[],
  deadline?: number,
): Promise<ExpiryOutcome[]> {
  const changes = options.map(({ name, expected, expireAt, type, lengths }) => ({
    name,
    from: expected,
    to: expireAt,
    type: type ?? null,
    lengths: lengths ?? null,
  }));
  return compareAndSet(channel, changes, deadline);
}

/** Restores the previous expiry of keys that still have the expiry that Colonnade set. */
export function undoExpiries(
  channel: WritingChannel,
  options: readonly { name: Buffer; ours: number; previous: number | null }[],
): Promise<ExpiryOutcome[]> {
  const changes = options.map(({ name, ours, previous }) => ({
    name,
    from: ours,
    to: previous,
    type: null,
    lengths: null,
  }));
  return compareAndSet(channel, changes);
}

interface Change {
  name: Buffer;
  from: number | null;
  to: number | null;
  type: string | null;
  lengths: readonly [number, number] | null;
}

async function compareAndSet(
  channel: WritingChannel,
  changes: readonly Change[],
  wanted?: number,
): Promise<ExpiryOutcome[]> {
  const deadline = wanted ?? (await readDeadline(channel));
  const replies = await channel.callAll(changes.map((change) => buildEvalArgs(change, deadline)));
  return replies.map((reply) => {
    if (Buffer.isBuffer(reply)) return { outcome: reply.toString('latin1') as ExpiryOutcome['outcome'] };
    if (reply instanceof Error) throw scriptDenied(reply);
    throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to an expiry.');
  });
}

const buildEvalArgs = ({ name, from, to, type, lengths }: Change, deadline: number): Args => [
  'EVAL',
  SCRIPT,
  '1',
  name,
  String(from ?? -1),
  String(to ?? -1),
  String(deadline),
  type ?? '',
  lengths === null ? '' : chooseLengthCommand(type),
  ...(lengths ?? ['', '']).map(String),
];

const COMMANDS: Record<string, string> = LENGTH_COMMANDS;
const chooseLengthCommand = (type: string | null) => (type !== null && isSizedType(type) ? (COMMANDS[type] ?? '') : '');
