import type { ElementChunk } from '@/lib/model/deletions/archive';
import { parseServerTime, readTimeByInfo } from '@/lib/redis/info/server-clock';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { LUA_NO_CLOCK, LUA_NOW } from '@/lib/redis/write/server-time';
import { transact } from '@/lib/redis/write/transact';
import type { WritingChannel } from '@/lib/redis/write/types';
import { toWriteFailure, WriteFailure } from '@/lib/redis/write/write-failure';
import { toCount } from './drain-replies';

/**
 * Removes elements by name from a key that its application uses. A command may arrive long after Colonnade gave up on
 * it, when the key has been created again. So the first of these forms that the server permits is used: a script with a
 * deadline by the server's clock; WATCH and MULTI, which do nothing once another client wrote the key; the plain
 * command, which has neither protection, so `unguarded` is awaited before it is sent.
 */
export interface RemoveRequest {
  key: Buffer;
  chunk: ElementChunk;
  /** Epoch ms by the server's clock; null = the clock is not known, and no script is sent. */
  deadline: number | null;
  /** Awaited before a command is sent that may be carried out at any later time. */
  unguarded?(): Promise<void>;
}

const COMMANDS: Partial<Record<ElementChunk['type'], { command: string; per: number }>> = {
  hash: { command: 'HDEL', per: 2 },
  set: { command: 'SREM', per: 1 },
  zset: { command: 'ZREM', per: 2 },
};

/** Lua can unpack only some thousand values at once. */
const SCRIPT = `${LUA_NOW}local clock = now()
if not clock then ${LUA_NO_CLOCK} end
if clock > tonumber(ARGV[1]) then return -1 end
local n = 0
for from = 3, #ARGV, 1000 do
  n = n + redis.call(ARGV[2], KEYS[1], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
return n`;

/** How often the removal is tried on a key that other clients write all the time. */
const TRIES = 10;
/** Connections whose server denies scripts that remove; found out once per connection. */
const withoutScripts = new WeakSet<WritingChannel['stats']>();

/**
 * Returns the number of elements removed. 'late': nothing was done, because the deadline had passed or other clients
 * wrote the key during every attempt.
 */
export async function removeByName(channel: WritingChannel, request: RemoveRequest): Promise<number | 'late'> {
  const { key, chunk, deadline } = request;
  const { command, per } = COMMANDS[chunk.type] ?? {};
  if (!command || !per) throw new Error(`Elements of a ${chunk.type} have no names.`);
  const names = chunk.values.filter((_, index) => index % per === 0);
  if (deadline !== null && !withoutScripts.has(channel.stats))
    try {
      const removed = await channel.call(['EVAL', SCRIPT, '1', key, String(deadline), command, ...names]);
      return removed === -1 ? 'late' : toCount(removed);
    } catch (error) {
      if (!mayTryNextForm(error)) throw error;
      if (error.kind === 'denied') withoutScripts.add(channel.stats);
    }
  for (let tried = 0; tried < TRIES; tried++)
    try {
      const removed = await removeByWatch(channel, [command, key, ...names]);
      if (removed !== null) return removed;
    } catch (error) {
      if (!mayTryNextForm(error)) throw error;
      await request.unguarded?.();
      return toCount(await channel.call([command, key, ...names]));
    }
  return 'late';
}

const mayTryNextForm = (error: unknown): error is WriteFailure =>
  error instanceof WriteFailure && (error.kind === 'denied' || error.kind === 'out_of_memory');

/** Returns null if another client wrote the key or created it again; nothing was done then. */
async function removeByWatch(channel: WritingChannel, args: (string | Buffer)[]): Promise<number | null> {
  const [, key] = args as [string, Buffer];
  await channel.call(['WATCH', key]);
  const done = await transact(channel, [args]).catch(async (error) => {
    await channel.callAll([['UNWATCH']]);
    throw error;
  });
  if (done === null) return null;
  const [removed] = done;
  if (removed instanceof RedisReplyError) throw toWriteFailure(removed);
  return toCount(removed ?? null);
}

/** deadline: by a script · watched: by a transaction · none: a command that was sent may be carried out at any time. */
export type RemoveGuard = 'deadline' | 'watched' | 'none';

/** Finds out which form the server permits, without a key and without writing. */
export async function probeRemoveByName(channel: WritingChannel): Promise<RemoveGuard> {
  const [time, script] = await channel.callAll([['TIME'], ['EVAL', `${LUA_NOW}return now() and 1 or 0`, '0']]);
  const clock = parseServerTime(time) ?? (await readTimeByInfo(channel));
  if (script === 1 && clock !== null) return 'deadline';
  const [multi] = await channel.callAll([['MULTI']]);
  if (multi instanceof Error) return 'none';
  await channel.callAll([['DISCARD']]);
  return 'watched';
}
