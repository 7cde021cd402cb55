import type { Redis } from 'ioredis';
import type { ArchivedKey, ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import type { Drainer } from '@/lib/redis/drain/drainer';
import { selectDrainer } from '@/lib/redis/drain/select-drainer';
import { openChannel } from '@/lib/redis/protocol/channel';
import type { LostPending } from '@/lib/redis/restore/restorer';
import { selectRestorer } from '@/lib/redis/restore/select-restorer';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WRITING_LIMITS, wrapChannel } from '@/lib/redis/write/writing-channel';
import { connectTo } from './scan-session';

/** A server of a test, typed by its shape, because folders of the product import no tests. */
type TestServer = Parameters<typeof connectTo>[0] & { address: string };

/** Opens a channel to drain and rebuild keys of a real server without the executor, for tests of these parts. */
export async function channelTo(server: TestServer, replyBytes = WRITING_LIMITS.replyBytes): Promise<WritingChannel> {
  const limits = { ...WRITING_LIMITS, replyBytes };
  const channel = await openChannel(await connectTo(server), { protocol: '2' }, { replyMs: 30_000 }, limits);
  return wrapChannel(channel, server.address, 0);
}

export const readDigest = async (client: Redis, name: string | Buffer) =>
  ((await client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0];

/**
 * once: read, delete · twice: each deletion is sent again · crash: each third page is read, then "lost" before its
 * deletion, and read again from the position before it, so that runs overlap.
 */
export type Way = 'once' | 'twice' | 'crash';

export interface Drained {
  chunks: ElementChunk[];
  removed: number;
  reads: number;
  facts: Pick<ArchivedKey, 'stream'>;
}

export async function drainAll(
  channel: WritingChannel,
  type: ElementType,
  encoding: string | null,
  key: Buffer,
  way: Way,
  count = 500,
): Promise<Drained> {
  const drainer: Drainer = selectDrainer(type, encoding);
  const facts = (await drainer.readFacts?.(channel, key)) ?? {};
  const drained: Drained = { chunks: [], removed: 0, reads: 0, facts };
  for (let position = {}, end = false; !end; drained.reads++) {
    const read = await drainer.read(channel, key, position, count, 1024 * 1024);
    if (read.chunk) drained.chunks.push(read.chunk);
    if (way === 'crash' && drained.reads % 3 === 1) {
      // The crash comes after the deletion was carried out and before its reply arrived.
      if (read.chunk && drained.reads % 2 === 0) await drainer.remove(channel, key, read.chunk);
      continue;
    }
    if (read.chunk) drained.removed += await drainer.remove(channel, key, read.chunk);
    if (read.chunk && way === 'twice') await drainer.remove(channel, key, read.chunk);
    position = read.next;
    end = read.end;
    if (drained.reads > 100_000) throw new Error('A drain that never ends.');
  }
  await drainer.finish(channel, key);
  return drained;
}

/**
 * Rebuilds in the order of the archive: lists and strings by position, the rest as it was written. `repeat`: each run
 * is written twice.
 */
export async function rebuild(
  channel: WritingChannel,
  type: ElementType,
  key: Buffer,
  length: number,
  { chunks, facts }: Drained,
  repeat = false,
): Promise<{ count: number; lost: LostPending | null }> {
  const restorer = selectRestorer(type);
  const sorted = type === 'list' || type === 'string' ? chunks.toSorted((a, b) => a.start - b.start) : chunks;
  for (const chunk of sorted)
    for (let time = 0; chunk.type !== 'groups' && time < (repeat ? 2 : 1); time++)
      await restorer.write(channel, key, chunk);
  for (const chunk of sorted) if (chunk.expiries) await restorer.expire?.(channel, key, chunk);
  const pages = chunks.filter((chunk) => chunk.type === 'groups');
  const archived = { seq: 0, name: key, db: 0, type, encoding: null, length, expireAt: null, archivedAt: 0, ...facts };
  let lost: LostPending | null = null;
  for (let time = 0; time < (repeat ? 2 : 1); time++)
    lost = (await restorer.finish?.(channel, key, archived, oneByOne(pages))) ?? null;
  return { count: await restorer.count(channel, key), lost };
}

async function* oneByOne(chunks: readonly ElementChunk[]): AsyncGenerator<ElementChunk> {
  yield* chunks;
}
