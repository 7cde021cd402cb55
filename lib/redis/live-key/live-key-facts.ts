import { AppError } from '@/lib/model/errors';
import type { LiveKey } from '@/lib/model/live-key';
import { encodingOf } from '@/lib/redis/keys/encoding';
import { isSizedType, LENGTH_COMMANDS, mayExceed } from '@/lib/redis/keys/length-commands';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';

export type LiveKeyFacts = Pick<
  LiveKey,
  'exists' | 'type' | 'encoding' | 'bytes' | 'length' | 'ttlMs' | 'expiryKnown' | 'idleSeconds' | 'freq'
>;

/** Another node serves the slot now; the caller looks at the topology again. */
export class KeyMoved extends Error {}

/**
 * Facts of one key that leave it as it was: TYPE, PTTL, OBJECT and MEMORY USAGE do not count as a read. The element
 * count does, so it is asked only where that is harmless (`mayAskLength`), where the memory says it matters, or where
 * there is no memory to go by. Idle
 * time and frequency are read first, before anything could disturb them. null = could not be read.
 */
export async function readLiveKeyFacts(
  channel: RespChannel,
  key: Buffer,
  mayAskLength: boolean,
): Promise<LiveKeyFacts> {
  const asked = [
    channel.call(['OBJECT', 'IDLETIME', key]),
    channel.call(['OBJECT', 'FREQ', key]),
    channel.call(['TYPE', key]),
    channel.call(['PTTL', key]),
    channel.call(['OBJECT', 'ENCODING', key]),
    channel.call(['MEMORY', 'USAGE', key]),
    channel.call(['OBJECT', 'REFCOUNT', key]),
  ];
  const [idle, freq, type, ttl, encoding, memory, references] = (await Promise.all(asked)) as [
    Reply,
    Reply,
    Reply,
    Reply,
    Reply,
    Reply,
    Reply,
  ];
  const answers = [type, ttl, encoding, memory];
  const refused = answers.filter((answer) => answer instanceof RedisReplyError);
  if (refused.some((error) => error.code === 'MOVED' || error.code === 'ASK')) throw new KeyMoved();
  if (refused.length === answers.length) {
    const denied = refused.every((error) => error.code === 'NOPERM' || /unknown command/i.test(error.message));
    throw denied
      ? new AppError('redis_no_permission', 'This user may not read anything about the key.', { command: 'TYPE' })
      : new AppError('redis_error', `The server answered with an error (${refused[0]?.code ?? 'ERR'}).`);
  }
  const typeName = text(type);
  const pttl = number(ttl);
  const bytes = number(memory);
  const gone = typeName === 'none' || pttl === -2 || encoding === null || memory === null;
  // An integer up to 9999 is an object of the server: what it tells of idle time says nothing about this key.
  const shared = typeName === 'string' && text(encoding) === 'int' && references !== 1;
  const facts: LiveKeyFacts = {
    exists: !gone,
    type: gone ? null : typeName,
    encoding: encodingOf(typeName, text(encoding)),
    bytes,
    length: null,
    ttlMs: pttl !== null && pttl >= 0 ? pttl : null,
    expiryKnown: pttl !== null && !gone,
    idleSeconds: shared ? null : number(idle),
    freq: number(freq),
  };
  if (
    !gone &&
    isSizedType(facts.type) &&
    (mayAskLength || bytes === null || mayExceed(facts.type, facts.encoding, bytes))
  ) {
    facts.length = number(await channel.call([LENGTH_COMMANDS[facts.type], key]));
  }
  return facts;
}

const text = (reply: Reply) => (Buffer.isBuffer(reply) ? reply.toString('latin1') : null);
const number = (reply: Reply) => (typeof reply === 'number' ? reply : null);
