import type { ElementChunk } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { incrementId, toFields, toReplyText } from '@/lib/redis/protocol/stream-replies';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { createUnexpectedReplyError } from '@/lib/redis/write/write-failure';
import { limitPage, readPage, toBuffers, toCount, withSmallerPages } from './drain-replies';

/**
 * One part of a consumer group as it is archived; names are base64, because they are bytes. A group has as many parts
 * as pages were needed. After a crash some parts may be archived twice: restoring a part a second time changes nothing.
 */
export interface ArchivedGroup {
  name: string;
  lastId: string;
  entriesRead: number | null;
  /** Pending entries of the whole group. */
  pendingInGroup: number;
  consumers: string[];
  /** Entry id, consumer (its index in this part), time of the last delivery (epoch ms), number of deliveries. */
  pending: [string, number, number, number][];
}

/** One group as XINFO GROUPS reports it. */
interface ListedGroup {
  name: Buffer;
  lastId: string;
  entriesRead: number | null;
  consumers: number;
  pending: number;
}

/**
 * Lists the groups in the order of the server, which is the order of their names. No command returns only some groups.
 */
export function listGroups(channel: WritingChannel, key: Buffer): Promise<ListedGroup[]> {
  return listEach(channel, key, ['XINFO', 'GROUPS', key], (name, fields) => {
    const read = fields.get('entries-read');
    return {
      name,
      lastId: toReplyText(fields.get('last-delivered-id') ?? null),
      entriesRead: typeof read === 'number' ? read : null,
      consumers: toCount(fields.get('consumers') ?? null),
      pending: toCount(fields.get('pending') ?? null),
    };
  });
}

/** Includes consumers without pending entries, which XPENDING omits. No command returns only some consumers. */
const listConsumers = (channel: WritingChannel, key: Buffer, group: Buffer): Promise<string[]> =>
  listEach(channel, key, ['XINFO', 'CONSUMERS', key, group], (name) => name.toString('base64'));

/** Reads a reply of any length; only what `keep` returns is kept in memory while the rest arrives. */
async function listEach<T>(
  channel: WritingChannel,
  key: Buffer,
  args: Args,
  keep: (name: Buffer, fields: Map<string, Reply>) => T,
): Promise<T[]> {
  const kept: T[] = [];
  let failure: unknown = null;
  const onElement = (element: Reply) => {
    try {
      const fields = toFields(element);
      const name = fields.get('name');
      if (!Buffer.isBuffer(name)) throw createUnexpectedReplyError();
      kept.push(keep(name, fields));
    } catch (error) {
      // Throwing here would end the connection for all its other commands.
      failure ??= error;
    }
  };
  await withSmallerPages(channel, key, 1, () => channel.callEach(args, onElement));
  if (failure !== null) throw failure;
  return kept;
}

/**
 * The lists that the first page of a stream read, kept per connection for later pages: the server returns them only
 * whole.
 */
interface Listed {
  key: Buffer;
  groups: ListedGroup[];
  /** Consumer names of the group that is being read. */
  consumers: { group: number; names: string[] } | null;
}
const listedOn = new WeakMap<WritingChannel['stats'], Listed>();

type GroupPosition = NonNullable<DrainPosition['groups']>;

/**
 * Reads at most about `wanted` groups, consumers and pending entries, from `position` on. `next` is null after the last
 * ones. It fails if reading them is denied, because they would be lost silently.
 */
export async function readGroupsPage(
  channel: WritingChannel,
  key: Buffer,
  position: GroupPosition | undefined,
  { wanted, maxBytes }: { wanted: number; maxBytes: number },
): Promise<{ chunk: ElementChunk | null; next: GroupPosition | null }> {
  const known = position === undefined ? undefined : listedOn.get(channel.stats);
  const listed = known?.key.equals(key) ? known : { key, groups: await listGroups(channel, key), consumers: null };
  listedOn.set(channel.stats, listed);
  const parts: string[] = [];
  let at = position ?? { group: 0 };
  for (let left = wanted, bytes = 0; left > 0 && bytes < maxBytes; ) {
    const group = listed.groups[at.group];
    if (!group) break;
    const { part, next } = await readPart({ channel, key, listed }, group, at, left);
    left -= 1 + part.consumers.length + part.pending.length;
    const json = JSON.stringify(part);
    bytes += json.length;
    parts.push(json);
    at = next;
  }
  const end = at.group >= listed.groups.length;
  if (end) listedOn.delete(channel.stats);
  const values = [Buffer.from(`[${parts.join(',')}]`)];
  const chunk: ElementChunk | null = parts.length === 0 ? null : { type: 'groups', start: 0, elements: 0, values };
  return { chunk, next: end ? null : at };
}

/** Reads the next part of a group: first all its consumers, in later parts its pending entries. */
async function readPart(
  stream: { channel: WritingChannel; key: Buffer; listed: Listed },
  group: ListedGroup,
  at: GroupPosition,
  left: number,
): Promise<{ part: ArchivedGroup; next: GroupPosition }> {
  const { channel, key, listed } = stream;
  const common = {
    name: group.name.toString('base64'),
    lastId: group.lastId,
    entriesRead: group.entriesRead,
    pendingInGroup: group.pending,
  };
  const nextGroup = { group: at.group + 1 };
  if (at.pending !== undefined) {
    const { consumers, pending, next } = await readPending(channel, { key, group: group.name }, at.pending, left);
    return { part: { ...common, consumers, pending }, next: next === null ? nextGroup : { ...at, pending: next } };
  }
  if (group.consumers > 0 && listed.consumers?.group !== at.group)
    listed.consumers = { group: at.group, names: await listConsumers(channel, key, group.name) };
  const names = group.consumers > 0 ? (listed.consumers?.names ?? []) : [];
  const from = at.consumer ?? 0;
  const consumers = names.slice(from, from + left);
  const part: ArchivedGroup = { ...common, consumers, pending: [] };
  if (from + left < names.length) return { part, next: { group: at.group, consumer: from + left } };
  return { part, next: group.pending > 0 ? { group: at.group, pending: '-' } : nextGroup };
}

async function readPending(
  channel: WritingChannel,
  { key, group }: { key: Buffer; group: Buffer },
  from: string,
  wanted: number,
): Promise<Pick<ArchivedGroup, 'consumers' | 'pending'> & { next: string | null }> {
  const n = limitPage(channel, key, wanted);
  const page = await readPage(channel, key, n, ['XPENDING', key, group, from, '+', String(n)]);
  const now = Date.now();
  if (!Array.isArray(page)) throw createUnexpectedReplyError();
  const consumers = new Map<string, number>();
  let next = from;
  const pending = page.map((row): ArchivedGroup['pending'][number] => {
    const [id, consumer, idle, times] = Array.isArray(row) ? row : [];
    const [entry, name] = toBuffers([id ?? null, consumer ?? null]);
    const owner = (name as Buffer).toString('base64');
    const index = consumers.get(owner) ?? consumers.size;
    consumers.set(owner, index);
    next = incrementId(toReplyText(entry ?? null));
    return [toReplyText(entry ?? null), index, now - toCount(idle ?? null), toCount(times ?? null)];
  });
  if (page.length >= n && next === from) throw createUnexpectedReplyError();
  return { consumers: [...consumers.keys()], pending, next: page.length < n ? null : next };
}
