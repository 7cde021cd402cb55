import { encodingOf } from '@/lib/redis/keys/encoding';
import { LAST_MOMENT, momentOf } from '@/lib/redis/keys/expiry-moment';
import { MAX_KEY_BYTES } from '@/lib/redis/keys/length-commands';
import type { Reply } from '@/lib/redis/protocol/any-reply';

/** null = could not be read; `refused` says why. All null where the key does not exist. */
export interface OneKeyFacts {
  exists: boolean;
  type: string | null;
  encoding: string | null;
  /** Of a string its bytes; null = not asked, too. */
  length: number | null;
  bytes: number | null;
  /** The clock of the server when it was asked, epoch ms. */
  at: number | null;
  /** By the clock of the server, epoch ms. */
  expireAt: number | null;
  ttlMs: number | null;
  /** False: without expiry and with one look the same. */
  expiryKnown: boolean;
  idleSeconds: number | null;
  freq: number | null;
  refused: { [column in 'type' | 'ttl' | 'encoding' | 'bytes']?: Error };
}

export type FactAnswers = Partial<
  Record<'bytes' | 'idle' | 'freq' | 'encoding' | 'ttl' | 'expireAt' | 'type', Reply | Error>
>;

/** The answers about one key as facts. `now`: the clock of the server, null = unknown. */
export function judgeFacts(answers: FactAnswers, now: number | null): OneKeyFacts {
  const type = text(answers.type);
  const ttl = expiry(answers.ttl);
  const moment = expiry(answers.expireAt);
  const refused: OneKeyFacts['refused'] = {};
  for (const column of ['type', 'ttl', 'encoding', 'bytes'] as const) {
    const answer = answers[column];
    if (answer instanceof Error) refused[column] = answer;
  }
  // Without TYPE any other command that missed the key tells; with it, another client may have made the key meanwhile.
  const missed = ttl === -2 || (type === null && (answers.encoding === null || answers.bytes === null));
  const exists = type !== 'none' && !missed;
  // Without a clock of the server ours stands in; nothing is set from it then.
  const byTtl = ttl !== null && ttl >= 0 ? Math.min((now ?? Date.now()) + ttl, LAST_MOMENT) : null;
  const known = <T>(fact: T): T | null => (exists ? fact : null);
  return {
    exists,
    type: known(type),
    encoding: known(encodingOf(type, text(answers.encoding))),
    length: null,
    bytes: known(size(answers.bytes)),
    at: now,
    expireAt: known(moment === null ? byTtl : moment >= 0 ? moment : null),
    ttlMs: known(ttl !== null && ttl >= 0 ? ttl : null),
    expiryKnown: ttl !== null || moment !== null,
    idleSeconds: known(count(answers.idle)),
    freq: known(count(answers.freq)),
    refused,
  };
}

const text = (reply: Reply | Error | undefined) => (Buffer.isBuffer(reply) ? reply.toString('latin1') : null);
const notBelow = (minimum: number) => (reply: Reply | Error | undefined) =>
  typeof reply === 'number' && reply >= minimum ? reply : null;
/** A negative one is the answer of something that is no Redis: unknown. */
const count = notBelow(0);
/** No key takes nothing, and no process has more. */
const size = (reply: Reply | Error | undefined) => {
  const bytes = notBelow(1)(reply);
  return bytes !== null && bytes > MAX_KEY_BYTES ? null : bytes;
};
/** -1 = no expiry, -2 = no such key; less says nothing. */
const expiry = (reply: Reply | Error | undefined) => notBelow(-2)(momentOf(reply) ?? undefined);
