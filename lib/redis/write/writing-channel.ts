import type { RedisSession } from '@/lib/redis/connection/session';
import { type ChannelUser, openAs } from '@/lib/redis/connection/write-user';
import { RedisReplyError, type Reply, RespAnyReply } from '@/lib/redis/protocol/any-reply';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { RESP_LIMITS, type RespLimits } from '@/lib/redis/protocol/resp-reader';
import type { Args, WritingChannel } from './types';
import { createOddReplyError, toLossFailure, toWriteFailure } from './write-failure';

/**
 * Pages are bounded before they are requested, so only one large element, or a compact encoding that must be read
 * whole, can exceed the limit of a scan. A reply beyond this limit is refused instead of requested again.
 */
export const WRITING_LIMITS: RespLimits = { ...RESP_LIMITS, replyBytes: 64 * 1024 * 1024 };

/** After this many ms without an answer to a small command, the server is checked again on a new connection. */
const REPLY_MS = 5_000;

/**
 * Opens a connection for commands that write. Nothing is ever sent twice on it: after a loss it cannot be used, and the
 * caller must read the state before repeating anything. Replies are those of RESP2, with scores as the server prints
 * them.
 */
export async function openWritingChannel(
  session: RedisSession,
  address: string,
  db: number,
  options: { replyMs?: number; user?: ChannelUser; noTouch?: boolean } = {},
): Promise<WritingChannel> {
  const channel = await openAs(session, options.user ?? 'write', address, {
    db,
    protocol: '2',
    clientName: 'colonnade-delete',
    timeouts: { replyMs: options.replyMs ?? REPLY_MS },
    limits: WRITING_LIMITS,
    noTouch: options.noTouch ?? false,
  });
  return wrapChannel(channel, address, db);
}

export function wrapChannel(channel: RespChannel, address: string, db: number): WritingChannel {
  const stats: WritingChannel['stats'] = {
    commands: 0,
    bytesSent: 0,
    bytesReceived: 0,
    worstMs: 0,
    bestMs: null,
    lastMs: 0,
    answerMs: 0,
  };
  const timeCall = async <T>(send: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      return await send();
    } catch (error) {
      throw toLossFailure(error);
    } finally {
      const ms = performance.now() - began;
      Object.assign(stats, channel.counters, {
        lastMs: ms,
        worstMs: Math.max(stats.worstMs, ms),
        bestMs: Math.min(stats.bestMs ?? ms, ms),
        answerMs: stats.answerMs + ms,
      });
    }
  };
  return {
    address,
    db,
    stats,
    noTouch: channel.noTouch,
    async call(args: Args): Promise<Reply> {
      const reply = await timeCall(() => channel.call(args));
      if (reply instanceof RedisReplyError) throw toWriteFailure(reply);
      return reply;
    },
    callAll(commands: readonly Args[]): Promise<(Reply | Error)[]> {
      return timeCall(async () => {
        const expected = commands.map((args) => channel.queue(args, new RespAnyReply()));
        channel.flush();
        // Replies arrive in order, so all have arrived with the last one.
        const last = expected.at(-1);
        if (last) await channel.wait(last);
        return expected.map(({ value }) => (value instanceof RedisReplyError ? toWriteFailure(value) : value));
      });
    },
    async callEach(args: Args, take: (element: Reply) => void): Promise<void> {
      const reply = await timeCall(async () => {
        const expected = channel.queue(args, new RespAnyReply(false, take));
        channel.flush();
        await channel.wait(expected);
        return expected.value;
      });
      if (reply instanceof RedisReplyError) throw toWriteFailure(reply);
      if (!Array.isArray(reply)) throw createOddReplyError();
    },
    close: () => channel.close(),
  };
}
