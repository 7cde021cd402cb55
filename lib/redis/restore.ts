import type { ElementChunk, ElementType } from '@/lib/model/archive';
import type { Restorer, WritingChannel } from './deletion-types';
import { count } from './drain-replies';
import { streamRestorer } from './restore-stream';
import { WriteFailure } from './write-failure';

/** Sent in one command at most; larger elements go alone. */
const MOST_ELEMENTS = 400;
const MOST_BYTES = 256 * 1024;

/** Values in pieces of whole elements (`per` values each) that cost the server about half a millisecond. */
function* pieces(values: readonly Buffer[], per: number): Generator<Buffer[]> {
  let piece: Buffer[] = [];
  let bytes = 0;
  for (let at = 0; at < values.length; at += per) {
    const element = values.slice(at, at + per);
    const size = element.reduce((sum, value) => sum + value.length, 0);
    if (piece.length > 0 && (piece.length >= MOST_ELEMENTS * per || bytes + size > MOST_BYTES)) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(...element);
    bytes += size;
  }
  if (piece.length > 0) yield piece;
}

const hashRestorer: Restorer = {
  async write(channel, key, chunk) {
    for (const piece of pieces(chunk.values, 2)) await channel.call(['HSET', key, ...piece]);
    await expireFields(channel, key, chunk);
  },
  count: async (channel, key) => count(await channel.call(['HLEN', key])),
};

/** Fields that had an expiry of their own get it again; one that has passed meanwhile goes at once. */
async function expireFields(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void> {
  const { expiries = [], values } = chunk;
  for (const [index, at] of expiries.entries()) {
    const field = values[index * 2];
    if (at === null || !field) continue;
    try {
      await channel.call(['HPEXPIREAT', key, String(at), 'FIELDS', '1', field]);
    } catch (error) {
      // Brought back to a server that has no such expiries: the field stays.
      if (!(error instanceof WriteFailure) || error.kind !== 'denied') throw error;
      return;
    }
  }
}

const setRestorer: Restorer = {
  async write(channel, key, chunk) {
    for (const piece of pieces(chunk.values, 1)) await channel.call(['SADD', key, ...piece]);
  },
  count: async (channel, key) => count(await channel.call(['SCARD', key])),
};

const zsetRestorer: Restorer = {
  async write(channel, key, chunk) {
    for (const piece of pieces(chunk.values, 2)) {
      const args: Buffer[] = [];
      for (let at = 0; at < piece.length; at += 2) args.push(piece[at + 1] as Buffer, piece[at] as Buffer);
      await channel.call(['ZADD', key, ...args]);
    }
  },
  count: async (channel, key) => count(await channel.call(['ZCARD', key])),
};

/** RPUSH twice would double: each piece is pushed only from where the list ends now. */
const listRestorer: Restorer = {
  async write(channel, key, chunk) {
    let length = count(await channel.call(['LLEN', key]));
    if (length < chunk.start) throw new WriteFailure('refused', 'ERR', 'A part of the archived list is missing.');
    const missing = chunk.values.slice(length - chunk.start);
    for (const piece of pieces(missing, 1)) length = count(await channel.call(['RPUSH', key, ...piece]));
  },
  count: async (channel, key) => count(await channel.call(['LLEN', key])),
};

const stringRestorer: Restorer = {
  async write(channel, key, chunk) {
    const [bytes] = chunk.values;
    if (bytes) await channel.call(['SETRANGE', key, String(chunk.start), bytes]);
  },
  /** SETRANGE does not make an empty key: an empty string is set. */
  async finish(channel, key, archived) {
    if (archived.length === 0) await channel.call(['SET', key, '', 'NX']);
  },
  count: async (channel, key) => count(await channel.call(['STRLEN', key])),
};

const RESTORERS: Record<ElementType, Restorer> = {
  hash: hashRestorer,
  set: setRestorer,
  zset: zsetRestorer,
  list: listRestorer,
  string: stringRestorer,
  stream: streamRestorer,
};

/** How keys of a type are built again, under a name that nobody reads. */
export const restorerOf = (type: ElementType): Restorer => RESTORERS[type];
