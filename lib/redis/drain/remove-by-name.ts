import type { ElementChunk } from '@/lib/model/deletions/archive';
import { LUA_NO_CLOCK, LUA_NOW } from '@/lib/redis/write/server-time';
import type { WritingChannel } from '@/lib/redis/write/types';
import { scriptDenied } from '@/lib/redis/write/write-failure';
import { toCount } from './drain-replies';

interface RemoveRequest {
  key: Buffer;
  chunk: ElementChunk;
  /**
   * Epoch ms by the server's clock; null = scripts are denied, and the plain command is sent, which may be carried out
   * at any later time.
   */
  deadline: number | null;
}

/** `per` = how many values of a chunk are one element, the first of them its name. */
const COMMANDS: Partial<Record<ElementChunk['type'], { command: string; per: number }>> = {
  hash: { command: 'HDEL', per: 2 },
  set: { command: 'SREM', per: 1 },
  zset: { command: 'ZREM', per: 2 },
};

/** Removes a thousand elements at a time, because Lua can unpack only some thousand values at once. */
const SCRIPT = `${LUA_NOW}local deadline = tonumber(ARGV[1])
local clock = now(deadline)
if not clock then ${LUA_NO_CLOCK} end
if clock > deadline then return -1 end
local n = 0
for from = 3, #ARGV, 1000 do
  n = n + redis.call(ARGV[2], KEYS[1], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
return n`;

/**
 * Removes elements by name from a key that its application uses. A command may arrive long after Colonnade gave up on
 * it, when the key has been created again. A script therefore does nothing after its deadline. Returns the number of
 * elements removed. 'late': nothing was done, because the deadline had passed.
 */
export async function removeByName(channel: WritingChannel, request: RemoveRequest): Promise<number | 'late'> {
  const { key, chunk, deadline } = request;
  const { command, per } = COMMANDS[chunk.type] ?? {};
  if (!command || !per) throw new Error(`Elements of a ${chunk.type} have no names.`);
  const names = chunk.values.filter((_, index) => index % per === 0);
  if (deadline === null) return toCount(await channel.call([command, key, ...names]));
  const script = ['EVAL', SCRIPT, '1', key, String(deadline), command, ...names];
  const removed = await channel.call(script).catch((error) => {
    throw scriptDenied(error);
  });
  return removed === -1 ? 'late' : toCount(removed);
}
