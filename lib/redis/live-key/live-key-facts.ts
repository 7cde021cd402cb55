import { AppError } from '@/lib/model/errors';
import type { LiveKey } from '@/lib/model/keys/live-key';
import type { OneKeyFacts } from '@/lib/redis/key-facts/judge-facts';
import { queryKeyFacts } from '@/lib/redis/key-facts/query-key-facts';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { classifyRefusal } from '@/lib/redis/protocol/classify-refusal';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';

export type LiveKeyFacts = Pick<
  LiveKey,
  'exists' | 'type' | 'encoding' | 'bytes' | 'length' | 'ttlMs' | 'expiryKnown' | 'idleSeconds' | 'freq'
>;

/** Thrown if another node serves the slot now; the caller reads the topology again. */
export class KeyMoved extends Error {}

/**
 * Reads the facts of one key without changing its idle time. The element count changes it, so it is read only if that
 * is harmless (`mayAskLength`), if the memory makes it relevant, or if the memory is unknown. null = could not be read.
 */
export async function readLiveKeyFacts(
  channel: RespChannel,
  key: Buffer,
  mayAskLength: boolean,
): Promise<LiveKeyFacts> {
  const facts = await readFacts(channel, key, mayAskLength);
  const { exists, type, encoding, bytes, length, ttlMs, expiryKnown, idleSeconds, freq, refused } = facts;
  const errors = [refused.type, refused.ttl, refused.encoding, refused.bytes];
  if (!expiryKnown && errors.every((error) => error instanceof RedisReplyError)) throw toRefusedError(errors);
  return { exists, type, encoding, bytes, length, ttlMs, expiryKnown: expiryKnown && exists, idleSeconds, freq };
}

async function readFacts(channel: RespChannel, key: Buffer, mayAskLength: boolean): Promise<OneKeyFacts> {
  const length = mayAskLength ? 'always' : 'where_it_matters';
  try {
    const [facts] = await queryKeyFacts(
      {
        // Calls that are made in the same turn are sent in one write.
        callAll: (commands) => Promise.all(commands.map((command) => channel.call(command))),
        classifyError: (error) => (error instanceof RedisReplyError ? classifyRefusal(error).kind : 'refused'),
      },
      [key],
      { length, expiry: 'left', frequency: true },
    );
    if (!facts) throw new Error('No answer about a key.');
    return facts;
  } catch (error) {
    if (!(error instanceof RedisReplyError)) throw error;
    const { kind } = classifyRefusal(error);
    throw kind === 'moved' || kind === 'ask' ? new KeyMoved() : toAnswerError(error);
  }
}

function toRefusedError(errors: RedisReplyError[]): AppError {
  return errors.every((error) => classifyRefusal(error).kind === 'denied')
    ? new AppError('redis_no_permission', 'This user may not read anything about the key.', { command: 'TYPE' })
    : toAnswerError(errors[0]!);
}

function toAnswerError(error: RedisReplyError): AppError {
  const { code, server } = classifyRefusal(error);
  if (server) return new AppError(server.code, server.text);
  if (code === 'TRYAGAIN') return createSlotMovedError();
  return new AppError('redis_error', `The server answered with an error (${code}).`);
}

export const createSlotMovedError = () =>
  new AppError('redis_error', 'The slot of this key is being moved to another node. Try again in a moment.');
