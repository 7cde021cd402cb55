import { readServerTime, timeByInfo, timeOf } from '@/lib/redis/info/server-clock';
import { isSizedType, LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import { RedisReplyError, type Reply } from '@/lib/redis/protocol/any-reply';
import { IN_TIME_MS, LUA_NO_CLOCK, LUA_NOW } from './server-time';
import { transact } from './transact';
import type { Args, WritingChannel } from './types';
import { refusalOf, WriteFailure } from './write-failure';

/**
 * An expiry that is set only where the key still is what was approved and has the expiry we saw: nobody else's change
 * is overwritten. Every moment is of the server's clock and compared with it in the step that sets it: what lies in its
 * past would remove the key at once. By a script with a deadline, else by WATCH and MULTI: what arrives late changes
 * nothing.
 */
export interface ExpiryRequest {
  name: Buffer;
  /** Epoch ms by the clock of the server. */
  expireAt: number;
  only: 'none' | 'all';
  /** What it had when we looked; null = none. */
  expected: number | null;
  /** What was looked at; absent = not compared. */
  type?: string;
  /** Least and most elements (bytes of a string); absent or null = not compared. */
  lengths?: readonly [number, number] | null;
}
export interface ExpiryOutcome {
  /**
   * set: it has what it should have, also where it had that already: an answer may have been lost · past: the moment is
   * over, and setting it would remove the key · late: the deadline had passed. Of all but `set` nothing was done.
   */
  outcome: 'set' | 'had_one' | 'vanished' | 'changed' | 'past' | 'late';
}

/** Without PEXPIRETIME (before Redis 7) an expiry is reported as a rest of time: equal if about equal. */
export const ABOUT_MS = 2000;
/** Between our look at the clock and the command, where no script compares. */
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

/** `deadline`: epoch ms by the clock of the server, from a look at the keys; absent = the clock is asked now. */
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

/** Gives back what a key had before, where it still has what we gave it. */
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
  // Without the clock no script is sent: it could not compare either.
  const replies = deadline === null ? [] : await channel.callAll(changes.map((change) => evalArgs(change, deadline)));
  const outcomes: ExpiryOutcome[] = [];
  for (const [index, change] of changes.entries()) {
    const reply = replies[index];
    if (Buffer.isBuffer(reply)) outcomes.push({ outcome: reply.toString('latin1') as ExpiryOutcome['outcome'] });
    else if (reply === undefined || (reply instanceof WriteFailure && reply.kind === 'denied'))
      outcomes.push({ outcome: await byWatch(channel, change) });
    else if (reply instanceof Error) throw reply;
    else throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to an expiry.');
  }
  return outcomes;
}

const evalArgs = ({ name, from, to, type, lengths }: Change, deadline: number): Args => [
  'EVAL',
  SCRIPT,
  '1',
  name,
  String(from ?? -1),
  String(to ?? -1),
  String(deadline),
  type ?? '',
  lengths === null ? '' : lengthCommand(type),
  ...(lengths ?? ['', '']).map(String),
];

const COMMANDS: Record<string, string> = LENGTH_COMMANDS;
const lengthCommand = (type: string | null) => (type !== null && isSizedType(type) ? (COMMANDS[type] ?? '') : '');

async function byWatch(channel: WritingChannel, change: Change): Promise<ExpiryOutcome['outcome']> {
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
  // Somebody wrote it between our look and the transaction.
  if (done === null) return 'changed';
  const [set] = done;
  if (set instanceof RedisReplyError) throw refusalOf(set);
  // The key has gone between our look and the transaction.
  return set === 1 || to === null ? 'set' : 'vanished';
}

/** null = as we saw it, and its moment lies in the server's future. */
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
  const clock = timeOf(time) ?? (await timeByInfo(channel));
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
  if (text(typeNow) !== type) return 'changed';
  const command = lengthCommand(type);
  if (lengths === null || command === '') return null;
  const is = await channel.call([command, name]);
  return typeof is === 'number' && is >= lengths[0] && is <= lengths[1] ? null : 'changed';
}

const text = (reply: Reply | Error | undefined) => (Buffer.isBuffer(reply) ? reply.toString('latin1') : null);
