import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import { toCount } from '@/lib/redis/drain/drain-replies';
import { LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import { spendMemory } from '@/lib/redis/write/server-memory';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { putScoresFirst } from './restore-small';
import { streamRestorer } from './restore-stream';
import type { Restorer, TypeRestorer } from './restorer';

/** The most elements and bytes sent in one command; a larger element is sent alone. */
const MAX_ELEMENTS = 200;
const MAX_BYTES = 256 * 1024;
/**
 * A command that takes SLOW_MS longer than the quickest one halves the number of elements of the next command; less
 * than QUICK_MS longer doubles it.
 */
const SLOW_MS = 1.5;
const QUICK_MS = 0.5;

/**
 * How many elements the server accepts at once without a delay for others, by connection; a long listpack is walked for
 * each element.
 */
const batchLimits = new WeakMap<WritingChannel['stats'], { max: number; quickestMs: number }>();

/** Sends values in pieces of whole elements (`per` values each) that cost the server about half a millisecond. */
async function sendInPieces(
  channel: WritingChannel,
  values: readonly Buffer[],
  per: number,
  send: (piece: Buffer[]) => Promise<unknown>,
): Promise<void> {
  const known = batchLimits.get(channel.stats);
  const batchLimit = known ?? { max: MAX_ELEMENTS, quickestMs: Number.POSITIVE_INFINITY };
  if (!known) batchLimits.set(channel.stats, batchLimit);
  for (let at = 0; at < values.length; ) {
    const piece = takePiece(values, at, per, batchLimit.max);
    at += piece.length;
    await spendMemory(channel, piece);
    await send(piece);
    const { lastMs } = channel.stats;
    batchLimit.quickestMs = Math.min(batchLimit.quickestMs, lastMs);
    const excessMs = lastMs - batchLimit.quickestMs;
    if (excessMs > SLOW_MS) batchLimit.max = Math.max(1, Math.floor(batchLimit.max / 2));
    else if (excessMs < QUICK_MS) batchLimit.max = Math.min(MAX_ELEMENTS, batchLimit.max * 2);
  }
}

function takePiece(values: readonly Buffer[], from: number, per: number, max: number): Buffer[] {
  let bytes = 0;
  let end = from;
  while (end < values.length && end < from + max * per) {
    for (let part = 0; part < per; part++) bytes += values[end + part]?.length ?? 0;
    if (end > from && bytes > MAX_BYTES) break;
    end += per;
  }
  return values.slice(from, end);
}

const hashRestorer: TypeRestorer = {
  async write(channel, key, chunk) {
    await sendInPieces(channel, chunk.values, 2, (piece) => setFields(channel, key, piece));
  },
  expire: expireFields,
};

/** Connections whose server sets one field per HSET (before 4.0); found out once per connection. */
const oneFieldEach = new WeakSet<WritingChannel['stats']>();

async function setFields(channel: WritingChannel, key: Buffer, values: readonly Buffer[]): Promise<void> {
  if (!oneFieldEach.has(channel.stats))
    try {
      await channel.call(['HSET', key, ...values]);
      return;
    } catch (error) {
      // The error is "wrong number of arguments": nothing was done.
      if (values.length <= 2 || !(error instanceof WriteFailure) || error.kind !== 'refused' || error.code !== 'ERR')
        throw error;
      oneFieldEach.add(channel.stats);
    }
  await channel.call(['HMSET', key, ...values]);
}

/** Sets the expiries of single fields again; a field whose expiry has passed meanwhile is removed at once. */
async function expireFields(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void> {
  const { expiries = [], values } = chunk;
  for (const [index, at] of expiries.entries()) {
    const field = values[index * 2];
    if (at === null || !field) continue;
    try {
      await channel.call(['HPEXPIREAT', key, String(at), 'FIELDS', '1', field]);
    } catch (error) {
      // If this server does not support expiries of fields, the field stays. If it does and denies the command, this
      // fails, because the field must not stay forever.
      if (!(error instanceof WriteFailure) || error.kind !== 'denied' || error.code === 'NOPERM') throw error;
      return;
    }
  }
}

const setRestorer: TypeRestorer = {
  async write(channel, key, chunk) {
    await sendInPieces(channel, chunk.values, 1, (piece) => channel.call(['SADD', key, ...piece]));
  },
};

const zsetRestorer: TypeRestorer = {
  async write(channel, key, chunk) {
    await sendInPieces(channel, chunk.values, 2, (piece) => channel.call(['ZADD', key, ...putScoresFirst(piece)]));
  },
};

/** A repeated RPUSH would duplicate elements, so a piece is pushed only from the present end of the list on. */
const listRestorer: TypeRestorer = {
  async write(channel, key, chunk) {
    const length = toCount(await channel.call(['LLEN', key]));
    if (length < chunk.start) throw new WriteFailure('refused', 'ERR', 'A part of the archived list is missing.');
    const missing = chunk.values.slice(length - chunk.start);
    await sendInPieces(channel, missing, 1, (piece) => channel.call(['RPUSH', key, ...piece]));
  },
};

const stringRestorer: TypeRestorer = {
  async write(channel, key, chunk) {
    const [bytes] = chunk.values;
    if (!bytes) return;
    await spendMemory(channel, chunk.values);
    await channel.call(['SETRANGE', key, String(chunk.start), bytes]);
  },
  /** SETRANGE does not create an empty key, so an empty string is created with SET. */
  async finish(channel, key, archived) {
    if (archived.length === 0) await channel.call(['SET', key, '', 'NX']);
    return null;
  },
};

/**
 * The dump restores the whole key. REPLACE is needed because after a crash the archive may hold the same dump twice.
 */
const dumpRestorer: TypeRestorer = {
  async write(channel, key, chunk) {
    const [dump] = chunk.values;
    if (!dump) return;
    await spendMemory(channel, chunk.values);
    await channel.call(['RESTORE', key, '0', dump, 'REPLACE']);
  },
};

const RESTORERS: Record<ElementType, TypeRestorer> = {
  hash: hashRestorer,
  set: setRestorer,
  zset: zsetRestorer,
  list: listRestorer,
  string: stringRestorer,
  stream: streamRestorer,
  vectorset: dumpRestorer,
  array: dumpRestorer,
};

/** Returns the restorer of a type, which rebuilds keys under a name that nobody reads. */
export const selectRestorer = (type: ElementType): Restorer => ({
  ...RESTORERS[type],
  count: async (channel, key) => toCount(await channel.call([LENGTH_COMMANDS[type], key])),
});
