import { parseServerTime, readServerTime, readTimeByInfo } from '@/lib/redis/info/server-clock';
import { isSizedType, LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import { RedisReplyError, type Reply } from '@/lib/redis/protocol/any-reply';
import { IN_TIME_MS, LUA_NO_CLOCK, LUA_NOW } from './server-time';
import { transact } from './transact';
import type { Args, WritingChannel } from './types';
import { toWriteFailure, WriteFailure } from './write-failure';

/**
 * Sets an expiry only if the key is still what was approved and has the expiry that was read before, so no other
 * client's change is overwritten. Every expiry is by the server's clock and is compared with it in the step that sets
 * it, because an expiry in the past would delete the key at once. It uses a script with a deadline, otherwise WATCH and
 * MULTI, so a command that arrives late changes nothing.
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
/**
 * Without a script, a new expiry closer than this many ms counts as past: time passes between reading the clock and the
 * command.
 */
const MARGIN_MS = 2 * IN_TIME_MS;

const SCRIPT = `${LUA_NOW}local clock = now()
if not clock then ${LUA_NO_CLOCK} end
local x = tonumber(ARGV[1])
local y = tonumber(ARGV[2])
if clock > tonumber(ARGV[3]) then return 'late' end
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
if y >= 0 and y <= clock then return 'past' end
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

/**
 * `deadline`: epoch ms by the server's clock, from an earlier reading of the keys; null = unknown, absent = read the
 * clock now.
 */
export function setExpiries(
  channel: WritingChannel,
  options: readonly ExpiryRequest[],
  deadline?: number | null,
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
  wanted?: number | null,
): Promise<ExpiryOutcome[]> {
  const asked = wanted === undefined ? await readServerTime(channel) : null;
  const deadline = wanted === undefined ? (asked === null ? null : asked + IN_TIME_MS) : wanted;
  // Without the clock no script is sent, because the script could not compare either.
  const replies =
    deadline === null ? [] : await channel.callAll(changes.map((change) => buildEvalArgs(change, deadline)));
  const outcomes: ExpiryOutcome[] = [];
  for (const [index, change] of changes.entries()) {
    const reply = replies[index];
    if (Buffer.isBuffer(reply)) outcomes.push({ outcome: reply.toString('latin1') as ExpiryOutcome['outcome'] });
    else if (reply === undefined || (reply instanceof WriteFailure && reply.kind === 'denied'))
      outcomes.push({ outcome: await setByWatch(channel, change) });
    else if (reply instanceof Error) throw reply;
    else throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to an expiry.');
  }
  return outcomes;
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

async function setByWatch(channel: WritingChannel, change: Change): Promise<ExpiryOutcome['outcome']> {
  await channel.call(['WATCH', change.name]);
  const found = await compare(channel, change).catch(async (error) => {
    await channel.call(['UNWATCH']);
    throw error;
  });
  if (found !== null) {
    await channel.call(['UNWATCH']);
    return found;
  }
  const { name, to } = change;
  const done = await transact(channel, [to === null ? ['PERSIST', name] : ['PEXPIREAT', name, String(to)]]);
  // Another client wrote the key between the comparison and the transaction.
  if (done === null) return 'changed';
  const [set] = done;
  if (set instanceof RedisReplyError) throw toWriteFailure(set);
  // The key disappeared between the comparison and the transaction.
  return set === 1 || to === null ? 'set' : 'vanished';
}

/** Returns null if the key is as it was read and the new expiry is in the server's future. */
async function compare(channel: WritingChannel, change: Change): Promise<ExpiryOutcome['outcome'] | null> {
  const { name, from, to, type, lengths } = change;
  const [pttl, at, time, typeNow] = await channel.callAll([
    ['PTTL', name],
    ['PEXPIRETIME', name],
    ['TIME'],
    ['TYPE', name],
  ]);
  if (pttl instanceof Error) throw pttl;
  if (pttl === -2) return 'vanished';
  const clock = parseServerTime(time) ?? (await readTimeByInfo(channel));
  const exact = typeof at === 'number' ? at : null;
  const isTimeless = to === null && (exact !== null || pttl === -1);
  if (clock === null && !isTimeless)
    throw new WriteFailure('denied', 'TIME', 'The clock of the server may not be read.');
  const had = exact ?? (typeof pttl === 'number' && pttl >= 0 ? (clock ?? 0) + pttl : -1);
  const isAt = (when: number | null) =>
    had === (when ?? -1) || (exact === null && had >= 0 && when !== null && Math.abs(had - when) <= ABOUT_MS);
  if (isAt(to)) return 'set';
  if (to !== null && to <= (clock ?? to) + MARGIN_MS) return 'past';
  if (!isAt(from)) return from === null ? 'had_one' : 'changed';
  if (type === null) return null;
  if (toText(typeNow) !== type) return 'changed';
  const command = chooseLengthCommand(type);
  if (lengths === null || command === '') return null;
  const is = await channel.call([command, name]);
  return typeof is === 'number' && is >= lengths[0] && is <= lengths[1] ? null : 'changed';
}

const toText = (reply: Reply | Error | undefined) => (Buffer.isBuffer(reply) ? reply.toString('latin1') : null);
