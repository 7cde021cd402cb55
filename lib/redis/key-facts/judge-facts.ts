import { LAST_MOMENT, toExpiryMoment } from '@/lib/redis/keys/expiry-moment';
import { MAX_KEY_BYTES } from '@/lib/redis/keys/length-commands';
import { toEncoding } from '@/lib/redis/keys/to-encoding';
import type { Reply } from '@/lib/redis/protocol/any-reply';

/** The facts of one key. null = could not be read; `refused` holds the reason. All are null if there is no such key. */
export interface OneKeyFacts {
  exists: boolean;
  type: string | null;
  encoding: string | null;
  /** Bytes of a string, elements of any other type; null also = not requested. */
  length: number | null;
  bytes: number | null;
  /** The server's clock when the facts were read, epoch ms. */
  at: number | null;
  /** Expiry by the clock of the server, epoch ms; null = no expiry or unknown, see `expiryKnown`. */
  expireAt: number | null;
  ttlMs: number | null;
  /** False if the expiry could not be read: `expireAt` and `ttlMs` are then null with or without an expiry. */
  expiryKnown: boolean;
  idleSeconds: number | null;
  freq: number | null;
  refused: { [column in 'type' | 'ttl' | 'encoding' | 'bytes']?: Error };
}

/** The answers about one key, named by the facts in them. An answer that is missing was not requested. */
type FactAnswers = Partial<Record<'bytes' | 'idle' | 'freq' | 'encoding' | 'ttl' | 'expireAt' | 'type', Reply | Error>>;

/** Turns the answers about one key into facts. `now` is the clock of the server in epoch ms; null = unknown. */
export function judgeFacts(answers: FactAnswers, now: number | null): OneKeyFacts {
  const type = toText(answers.type);
  const ttl = toExpiry(answers.ttl);
  const moment = toExpiry(answers.expireAt);
  const refused: OneKeyFacts['refused'] = {};
  for (const column of ['type', 'ttl', 'encoding', 'bytes'] as const) {
    const answer = answers[column];
    if (answer instanceof Error) refused[column] = answer;
  }
  // Without TYPE, any other command that did not find the key shows that it is gone. With TYPE only a PTTL of -2 does:
  // another client may have created the key meanwhile.
  const isMissing = ttl === -2 || (type === null && (answers.encoding === null || answers.bytes === null));
  const exists = type !== 'none' && !isMissing;
  // Without the server's clock this process's clock is used; no expiry is set from that value.
  const fromTtl = ttl !== null && ttl >= 0 ? Math.min((now ?? Date.now()) + ttl, LAST_MOMENT) : null;
  const keepIfExists = <T>(fact: T): T | null => (exists ? fact : null);
  return {
    exists,
    type: keepIfExists(type),
    encoding: keepIfExists(toEncoding(type, toText(answers.encoding))),
    length: null,
    bytes: keepIfExists(toSize(answers.bytes)),
    at: now,
    expireAt: keepIfExists(moment === null ? fromTtl : moment >= 0 ? moment : null),
    ttlMs: keepIfExists(ttl !== null && ttl >= 0 ? ttl : null),
    expiryKnown: ttl !== null || moment !== null,
    idleSeconds: keepIfExists(toCount(answers.idle)),
    freq: keepIfExists(toCount(answers.freq)),
    refused,
  };
}

const toText = (reply: Reply | Error | undefined) => (Buffer.isBuffer(reply) ? reply.toString('latin1') : null);
const toNumberFrom = (min: number, reply: Reply | Error | undefined, max = Number.POSITIVE_INFINITY) =>
  typeof reply === 'number' && reply >= min && reply <= max ? reply : null;
/** A negative number is not an answer of Redis: unknown. */
const toCount = (reply: Reply | Error | undefined) => toNumberFrom(0, reply);
/** Every key takes at least one byte, and none more than a process can address. */
const toSize = (reply: Reply | Error | undefined) => toNumberFrom(1, reply, MAX_KEY_BYTES);
/** -1 = no expiry, -2 = no such key; a lower number means nothing. */
const toExpiry = (reply: Reply | Error | undefined) => toNumberFrom(-2, toExpiryMoment(reply) ?? undefined);
