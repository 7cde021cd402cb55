import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { openNodeChannel } from '@/lib/redis/connection/open-node-channel';
import type { RedisSession } from '@/lib/redis/connection/session';
import { RedisReplyError, type Reply } from '@/lib/redis/protocol/any-reply';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';

/** Strings requested in one write: at most 32 KiB of replies at once. */
const AT_ONCE = 32;
/** How many bytes of a value are read, from its beginning. */
export const SAMPLED_BYTES = 1024;
/**
 * The rest after each write is three times its duration, so reading takes a quarter of the time, like a gentle scan.
 */
const REST_FACTOR = 3;
const REPLY_MS = 5000;

/** The beginning of a value. null = the key is gone, of another type, empty, or on another node. */
type FetchedSample = Buffer | null | 'denied';

/**
 * Reads the first `bytes` of strings of one node and database, a few at a time with rests between, on its own channel
 * with NO-TOUCH if the server supports it. `each` receives every value once, in order; no value is kept. It ends early
 * when `stop` returns true. Returns the channel's counters (commands and bytes). Errors: those of the connection.
 */
export async function fetchValueSamples(
  session: RedisSession,
  { address, role }: Pick<NodeFacts, 'address' | 'role'>,
  db: number,
  names: readonly Buffer[],
  each: (index: number, value: FetchedSample) => void,
  stop: () => boolean,
  bytes: number,
): Promise<RespChannel['counters']> {
  const channel = await openNodeChannel(session, address, {
    db,
    readonly: session.target.topology === 'cluster' && role === 'replica',
    protocol: '2',
    noTouch: true,
    timeouts: { replyMs: REPLY_MS },
  });
  try {
    for (let at = 0; at < names.length && !stop(); at += AT_ONCE) {
      const began = performance.now();
      const some = names.slice(at, at + AT_ONCE);
      const replies = await Promise.all(some.map((name) => read(channel, name, bytes)));
      replies.forEach((reply, i) => {
        each(at + i, reply);
      });
      await sleep((performance.now() - began) * REST_FACTOR);
    }
    return channel.counters;
  } finally {
    channel.close();
  }
}

async function read(channel: RespChannel, name: Buffer, bytes: number): Promise<FetchedSample> {
  const reply: Reply = await channel.call(['GETRANGE', name, '0', String(bytes - 1)]);
  if (reply instanceof RedisReplyError)
    return reply.code === 'NOPERM' || /unknown command/i.test(reply.message) ? 'denied' : null;
  // GETRANGE answers with an empty string for a missing key too, and real strings are rarely empty.
  return Buffer.isBuffer(reply) && reply.length > 0 ? reply : null;
}
