import type { RedisSession } from '@/lib/redis/connection/session';
import { type ChannelUser, openAs } from '@/lib/redis/connection/write-user';
import { RedisReplyError, type Reply, RespAnyReply } from '@/lib/redis/protocol/any-reply';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { RESP_LIMITS, type RespLimits } from '@/lib/redis/protocol/resp-reader';
import type { Args, WritingChannel } from './types';
import { createUnexpectedReplyError, toLossFailure, toWriteFailure } from './write-failure';

/**
 * Limits of one reply, 64 MiB. The size of a page is limited before it is requested, so only one large element, or a
 * key with a compact encoding that is read whole, exceeds the limit of a scan (16 MiB). A reply above 64 MiB ends the
 * connection and is not requested again.
 */
export const WRITING_LIMITS: RespLimits = { ...RESP_LIMITS, replyBytes: 64 * 1024 * 1024 };

/**
 * Time limit in ms for each reply. Commands are small, so a later reply means that the connection or the server is in
 * trouble; the connection ends, and the caller reads the state on a new one.
 */
const REPLY_MS = 5_000;

/**
 * Opens the connection that keys are changed on. Plans read with it too, and user 'read' is for channels that only
 * read. Default user: 'write'. It speaks RESP2, so that scores arrive as the text that the server prints and can be
 * restored exactly. Nothing is ever sent twice on it: after a loss it cannot be used, and the caller must read the
 * state before repeating anything.
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

/** Turns a channel into a WritingChannel: counts its calls, and turns error replies and losses into WriteFailure. */
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
  const runCounted = async <T>(send: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      return await send();
    } catch (error) {
      // The command may have been sent, so its outcome is unknown.
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
      const reply = await runCounted(() => channel.call(args));
      if (reply instanceof RedisReplyError) throw toWriteFailure(reply);
      return reply;
    },
    callAll(commands: readonly Args[]): Promise<(Reply | Error)[]> {
      return runCounted(async () => {
        const expected = commands.map((args) => channel.queue(args, new RespAnyReply()));
        channel.flush();
        // Replies arrive in order, so all have arrived with the last one.
        const last = expected.at(-1);
        if (last) await channel.wait(last);
        return expected.map(({ value }) => (value instanceof RedisReplyError ? toWriteFailure(value) : value));
      });
    },
    async callEach(args: Args, onElement: (element: Reply) => void): Promise<void> {
      const reply = await runCounted(async () => {
        const expected = channel.queue(args, new RespAnyReply(false, onElement));
        channel.flush();
        await channel.wait(expected);
        return expected.value;
      });
      if (reply instanceof RedisReplyError) throw toWriteFailure(reply);
      if (!Array.isArray(reply)) throw createUnexpectedReplyError();
    },
    close: () => channel.close(),
  };
}
