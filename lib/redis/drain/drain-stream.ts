import type { ElementChunk } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { append } from '@/lib/model/text/append';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { incrementId, toFields, toReplyText } from '@/lib/redis/protocol/stream-replies';
import { hasKey } from '@/lib/redis/write/has-key';
import type { WritingChannel } from '@/lib/redis/write/types';
import { createUnexpectedReplyError, WriteFailure } from '@/lib/redis/write/write-failure';
import { isMemoryShort, measureFitting, readBoundedPage } from './bounded-page';
import {
  estimateElementBytes,
  limitPage,
  REMOVED_AT_ONCE_BYTES,
  readPage,
  toBuffers,
  toCount,
  unlink,
} from './drain-replies';
import type { Drainer, DrainRead } from './drainer';
import { listGroups, readGroupsPage } from './stream-groups';

/**
 * Drains entries from the head by id; XTRIM MINID with the next id removes exactly what was read. The groups are
 * archived first, page by page, with the entries that each consumer has not acknowledged. At the end, large pending
 * lists are acknowledged in pieces before the key is unlinked.
 */
export const streamDrainer: Drainer = {
  counts: true,
  async readFacts(channel, key) {
    const info = toFields(await readStreamInfo(channel, key));
    const readNumber = (name: string) => (typeof info.get(name) === 'number' ? (info.get(name) as number) : null);
    return {
      stream: {
        lastId: toReplyText(info.get('last-generated-id') ?? null) || '0-0',
        entriesAdded: readNumber('entries-added'),
        maxDeletedId: toReplyText(info.get('max-deleted-entry-id') ?? null) || null,
      },
    };
  },
  async read(channel, key, position, wanted, maxBytes) {
    if (position.id === undefined) {
      const { chunk, next } = await readGroupsPage(channel, key, position.groups, { wanted, maxBytes });
      return { chunk, next: next === null ? { id: '-' } : { groups: next }, end: false };
    }
    const request = { kind: 'stream', key, from: position.id, wanted, maxBytes, each: position.each } as const;
    const bounded = await readBoundedPage(channel, request);
    if ('page' in bounded) {
      const { values, over } = bounded.page;
      return toPage(values, position, { each: bounded.page.large, end: over });
    }
    const n = bounded.plainly;
    const page = await readPage(channel, key, n, ['XRANGE', key, position.id, '+', 'COUNT', String(n)]);
    const entries = Array.isArray(page) ? page : [];
    const bytes = entries.length === 0 ? [] : toChunk(entries).values;
    const each = estimateElementBytes(bytes, entries.length, position.each, maxBytes);
    return toPage(entries, position, { each, end: entries.length < n });
  },
  async remove(channel, key, chunk) {
    if (chunk.type !== 'stream' || chunk.elements === 0) return 0;
    if (!withoutMinId.has(channel.stats))
      try {
        return toCount(await channel.call(['XTRIM', key, 'MINID', incrementId(findLastChunkId(chunk))]));
      } catch (error) {
        // Servers before 6.2 answer with a syntax error: they know only MAXLEN, which counts from the end, so that
        // repeating it would remove more.
        if (!(error instanceof WriteFailure) || error.kind !== 'refused' || error.code !== 'ERR') throw error;
        withoutMinId.add(channel.stats);
      }
    return toCount(await channel.call(['XDEL', key, ...listIds(chunk)]));
  },
  async removeNext(channel, key, position, wanted) {
    const length = toCount(await channel.call(['XLEN', key]));
    if (length === 0) return { removed: 0, next: {}, end: true };
    const { each } = position;
    const fitting = await measureFitting(channel, {
      kind: 'stream',
      key,
      from: '-',
      wanted,
      maxBytes: REMOVED_AT_ONCE_BYTES,
      each,
    });
    const keep = Math.max(0, length - fitting.elements);
    const removed = toCount(await channel.call(['XTRIM', key, 'MAXLEN', String(keep)]));
    if (removed === 0) throw createUnexpectedReplyError();
    return { removed, next: { each: fitting.each }, end: keep === 0 };
  },
  async finish(channel, key) {
    if (await hasKey(channel, key)) await acknowledgeAll(channel, key);
    await unlink(channel, key);
  },
};

/** Returns the ids only: XINFO includes the first and the last entry with them, however large these are. */
const IDS_ONLY = `local all, out = redis.call('XINFO', 'STREAM', KEYS[1]), {}
for i = 1, #all, 2 do
  if type(all[i + 1]) ~= 'table' and all[i + 1] ~= false then out[#out + 1] = all[i] out[#out + 1] = all[i + 1] end
end
return out`;

async function readStreamInfo(channel: WritingChannel, key: Buffer): Promise<Reply> {
  // Two whole entries cost the server less than a script that copies them; the script is used if there is no memory for
  // the reply.
  if (limitPage(channel, key, 2) === 2 && !isMemoryShort(channel))
    return readPage(channel, key, 2, ['XINFO', 'STREAM', key]);
  try {
    return await channel.call(['EVAL', IDS_ONLY, '1', key]);
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.kind !== 'denied') throw error;
    return readPage(channel, key, 1, ['XINFO', 'STREAM', key]);
  }
}

function toPage(
  entries: Reply[],
  position: DrainPosition,
  { each, end }: { each: number | undefined; end: boolean },
): DrainRead {
  if (entries.length === 0) return { chunk: null, next: end ? { ...position, end } : position, end };
  const next = { id: incrementId(findLastId(entries)), ...(each !== undefined && { each }) };
  return { chunk: toChunk(entries), next, end };
}

const ACK_AT_ONCE = 500;

/** Acknowledges long pending lists in pieces, because each would otherwise be freed at once with its group. */
async function acknowledgeAll(channel: WritingChannel, key: Buffer): Promise<void> {
  for (const { name, pending } of await listGroups(channel, key)) {
    for (let left = pending > 0; left; ) {
      const page = await channel.call(['XPENDING', key, name, '-', '+', String(ACK_AT_ONCE)]);
      const ids = (Array.isArray(page) ? page : []).flatMap((one) =>
        Array.isArray(one) ? [toReplyText(one[0] ?? null)] : [],
      );
      left = ids.length > 0;
      // If nothing was acknowledged, the loop would request the same list forever.
      if (left && toCount(await channel.call(['XACK', key, name, ...ids])) === 0) throw createUnexpectedReplyError();
    }
  }
}

function toChunk(entries: Reply[]): ElementChunk {
  const values: Buffer[] = [];
  for (const entry of entries) {
    const [id, fields] = Array.isArray(entry) ? entry : [];
    const texts = toBuffers(fields ?? []);
    values.push(Buffer.from(toReplyText(id ?? null)), Buffer.from(String(texts.length)));
    append(values, texts);
  }
  return { type: 'stream', start: 0, elements: entries.length, values };
}

const findLastId = (entries: Reply[]): string => {
  const last = entries.at(-1);
  return toReplyText((Array.isArray(last) ? last[0] : null) ?? null);
};

/** Connections whose server knows only MAXLEN for trimming; found out once per connection. */
const withoutMinId = new WeakSet<WritingChannel['stats']>();

const findLastChunkId = (chunk: ElementChunk): string => listIds(chunk).at(-1) ?? '';

function listIds(chunk: ElementChunk): string[] {
  const ids: string[] = [];
  for (let at = 0; at < chunk.values.length; ) {
    ids.push((chunk.values[at] as Buffer).toString('latin1'));
    at += 2 + Number((chunk.values[at + 1] as Buffer).toString('latin1'));
  }
  return ids;
}
