import type { ElementChunk } from '@/lib/model/deletions/archive';
import { afterId, fieldsOf, text } from '@/lib/redis/protocol/stream-replies';
import type { WritingChannel } from '@/lib/redis/write/types';
import { oddReply } from '@/lib/redis/write/write-failure';

/** One consumer group as it is archived; names as base64, because they are bytes. */
export interface ArchivedGroup {
  name: string;
  lastId: string;
  entriesRead: number | null;
  consumers: string[];
  /** id, consumer (index), time of the last delivery (epoch ms), how often. */
  pending: [string, number, number, number][];
}

const PENDING_AT_ONCE = 500;

/**
 * null where the stream has no groups. Where reading them is denied it goes no further: they would be lost silently.
 */
export async function readConsumerGroups(channel: WritingChannel, key: Buffer): Promise<ElementChunk | null> {
  const reply = await channel.call(['XINFO', 'GROUPS', key]);
  const groups: ArchivedGroup[] = [];
  for (const one of Array.isArray(reply) ? reply : []) {
    const group = fieldsOf(one);
    const name = group.get('name');
    if (!Buffer.isBuffer(name)) continue;
    const consumers = await consumersOf(channel, key, name);
    const read = group.get('entries-read');
    groups.push({
      name: name.toString('base64'),
      lastId: text(group.get('last-delivered-id') ?? null),
      entriesRead: typeof read === 'number' ? read : null,
      consumers,
      pending: await pendingOf(channel, key, name, consumers),
    });
  }
  if (groups.length === 0) return null;
  return { type: 'groups', start: 0, elements: 0, values: [Buffer.from(JSON.stringify(groups))] };
}

async function consumersOf(channel: WritingChannel, key: Buffer, group: Buffer): Promise<string[]> {
  const reply = await channel.call(['XINFO', 'CONSUMERS', key, group]);
  return (Array.isArray(reply) ? reply : []).flatMap((one) => {
    const name = fieldsOf(one).get('name');
    return Buffer.isBuffer(name) ? [name.toString('base64')] : [];
  });
}

async function pendingOf(channel: WritingChannel, key: Buffer, group: Buffer, consumers: string[]) {
  const known = new Map(consumers.map((name, index) => [name, index]));
  const pending: ArchivedGroup['pending'] = [];
  for (let from = '-'; ; ) {
    const before = from;
    const page = await channel.call(['XPENDING', key, group, from, '+', String(PENDING_AT_ONCE)]);
    const now = Date.now();
    const rows = Array.isArray(page) ? page : [];
    for (const row of rows) {
      const [id, consumer, idle, times] = Array.isArray(row) ? row : [];
      if (!Buffer.isBuffer(consumer)) continue;
      const index = known.get(consumer.toString('base64'));
      if (index !== undefined) pending.push([text(id ?? null), index, now - Number(idle), Number(times)]);
      from = afterId(text(id ?? null));
    }
    if (rows.length < PENDING_AT_ONCE) return pending;
    if (from === before) throw oddReply();
  }
}
