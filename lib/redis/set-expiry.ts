import type { WritingChannel } from './deletion-types';
import { WriteFailure } from './write-failure';

/** An expiry that is set only where the key still has the one we saw: nobody else's change is overwritten. */
export interface ExpiryWish {
  name: Buffer;
  /** Epoch ms. */
  expireAt: number;
  only: 'none' | 'all';
  /** What it had when we looked; null = none. */
  expected: number | null;
}
export interface ExpiryOutcome {
  /**
   * set: it has what it should have, also where it had that already: an answer may have been lost · past: the moment is
   * over, and setting it would remove the key; nothing was done.
   */
  outcome: 'set' | 'had_one' | 'vanished' | 'changed' | 'past';
}

/** Without PEXPIRETIME (before Redis 7) an expiry is told as a rest of time: equal if about equal. */
export const ABOUT_MS = 2000;

const SCRIPT = `local p = redis.call('PTTL', KEYS[1])
if p == -2 then return 'vanished' end
local e = -1
local x = tonumber(ARGV[1])
local y = tonumber(ARGV[2])
if p >= 0 then
  e = redis.pcall('PEXPIRETIME', KEYS[1])
  if type(e) ~= 'number' then
    e = tonumber(ARGV[3]) + p
    if x >= 0 and math.abs(e - x) <= ${ABOUT_MS} then e = x
    elseif y >= 0 and math.abs(e - y) <= ${ABOUT_MS} then e = y end
  end
end
if e == y then return 'set' end
if e ~= x then
  if x == -1 then return 'had_one' end
  return 'changed'
end
if ARGV[2] == '-1' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
return 'set'`;

export function setExpiries(channel: WritingChannel, wishes: readonly ExpiryWish[]): Promise<ExpiryOutcome[]> {
  return compareAndSet(
    channel,
    wishes.map(({ name, expected, expireAt }) => ({ name, from: expected, to: expireAt })),
  );
}

/** Gives back what a key had before, where it still has what we gave it. */
export function undoExpiries(
  channel: WritingChannel,
  wishes: readonly { name: Buffer; ours: number; previous: number | null }[],
): Promise<ExpiryOutcome[]> {
  return compareAndSet(
    channel,
    wishes.map(({ name, ours, previous }) => ({ name, from: ours, to: previous })),
  );
}

interface Change {
  name: Buffer;
  from: number | null;
  to: number | null;
}

async function compareAndSet(channel: WritingChannel, changes: readonly Change[]): Promise<ExpiryOutcome[]> {
  const now = Date.now();
  const outcomes = changes.map((): ExpiryOutcome => ({ outcome: 'past' }));
  const due = changes.flatMap((change, at) => (change.to !== null && change.to <= now ? [] : [{ ...change, at }]));
  const replies = await channel.callAll(
    due.map(({ name, from, to }) => ['EVAL', SCRIPT, '1', name, String(from ?? -1), String(to ?? -1), String(now)]),
  );
  for (const [index, change] of due.entries()) {
    const reply = replies[index];
    if (Buffer.isBuffer(reply)) outcomes[change.at] = { outcome: reply.toString('latin1') as ExpiryOutcome['outcome'] };
    else if (reply instanceof WriteFailure && reply.kind === 'denied')
      outcomes[change.at] = await plainly(channel, change);
    else if (reply instanceof Error) throw reply;
    else throw new WriteFailure('refused', 'ERR', 'The server answered an expiry with something else.');
  }
  return outcomes;
}

/** Without scripts: looked at, then set. A change between the two is lost; the moment is as short as two commands. */
async function plainly(channel: WritingChannel, { name, from, to }: Change): Promise<ExpiryOutcome> {
  const [pttl, at] = await channel.callAll([
    ['PTTL', name],
    ['PEXPIRETIME', name],
  ]);
  if (pttl instanceof Error) throw pttl;
  if (pttl === -2) return { outcome: 'vanished' };
  const exact = typeof at === 'number' ? at : null;
  const is = exact ?? (typeof pttl === 'number' && pttl >= 0 ? Date.now() + pttl : -1);
  const isAt = (when: number | null) =>
    is === (when ?? -1) || (exact === null && is >= 0 && when !== null && Math.abs(is - when) <= ABOUT_MS);
  if (isAt(to)) return { outcome: 'set' };
  if (!isAt(from)) return { outcome: from === null ? 'had_one' : 'changed' };
  await channel.call(to === null ? ['PERSIST', name] : ['PEXPIREAT', name, String(to)]);
  return { outcome: 'set' };
}
