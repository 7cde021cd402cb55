import type { ElementChunk } from '@/lib/model/deletions/archive';
import { type ArchivedGroup, listGroups } from '@/lib/redis/drain/stream-groups';
import { spendMemory } from '@/lib/redis/write/server-memory';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { isUnknownCommand, WriteFailure } from '@/lib/redis/write/write-failure';
import type { LostPending } from './restorer';

/** Consumers or pending entries sent in one write; each is a command of some microseconds. */
const AT_ONCE = 100;
/** How many ids of lost entries are named. */
const MAX_NAMED = 3;

/**
 * Restores consumer groups with their consumers and pending entries, from pages of which some may occur twice. The
 * number of lost entries is the difference between the archived pending count and the present one, so repeated pages do
 * not count twice. Returns null if nothing was lost.
 */
export async function restoreGroups(
  channel: WritingChannel,
  key: Buffer,
  pages: AsyncIterable<ElementChunk>,
): Promise<LostPending | null> {
  const pending = new Map<string, number>();
  const ids = new Set<string>();
  for await (const page of pages)
    for (const part of JSON.parse(page.values[0]?.toString('utf8') ?? '[]') as ArchivedGroup[]) {
      if (!pending.has(part.name)) await createGroup(channel, key, part);
      pending.set(part.name, part.pendingInGroup);
      await createConsumers(channel, key, part);
      for await (const id of claimPending(channel, key, part)) if (ids.size < MAX_NAMED) ids.add(id);
    }
  if (pending.size === 0) return null;
  let rows = 0;
  for (const { name, pending: now } of await listGroups(channel, key))
    rows += (pending.get(name.toString('base64')) ?? now) - now;
  return rows === 0 ? null : { rows, ids: [...ids] };
}

const decodeName = (base64: string) => Buffer.from(base64, 'base64');

async function createGroup(
  channel: WritingChannel,
  key: Buffer,
  { name, lastId, entriesRead }: ArchivedGroup,
): Promise<void> {
  const read = entriesRead === null ? [] : ['ENTRIESREAD', String(entriesRead)];
  try {
    await channel.call(['XGROUP', 'CREATE', key, decodeName(name), lastId, ...read]);
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.code !== 'BUSYGROUP') throw error;
  }
}

/** On a server before 6.2 a consumer is created by the first entry that is assigned to it. */
async function createConsumers(
  channel: WritingChannel,
  key: Buffer,
  { name, consumers }: ArchivedGroup,
): Promise<void> {
  for (let from = 0; from < consumers.length; from += AT_ONCE) {
    const some = consumers.slice(from, from + AT_ONCE).map(decodeName);
    await spendMemory(channel, some);
    const replies = await channel.callAll(
      some.map((consumer) => ['XGROUP', 'CREATECONSUMER', key, decodeName(name), consumer]),
    );
    const refused = replies.find((reply) => reply instanceof Error);
    if (isUnknownCommand(refused)) return;
    if (refused) throw refused;
  }
}

/**
 * Yields the ids that the server would not make pending again, because their entries had been deleted from the stream.
 */
async function* claimPending(channel: WritingChannel, key: Buffer, part: ArchivedGroup): AsyncGenerator<string> {
  const group = decodeName(part.name);
  const consumers = part.consumers.map(decodeName);
  for (let from = 0; from < part.pending.length; from += AT_ONCE) {
    const rows = part.pending.slice(from, from + AT_ONCE);
    const owners = rows.map(([, consumer]) => consumers[consumer] ?? Buffer.alloc(0));
    await spendMemory(channel, owners);
    const commands = rows.map(([id, , time, times], index): Args => {
      const how = ['TIME', String(time), 'RETRYCOUNT', String(times), 'FORCE', 'JUSTID', 'LASTID', part.lastId];
      return ['XCLAIM', key, group, owners[index] as Buffer, '0', id, ...how];
    });
    for (const [index, reply] of (await channel.callAll(commands)).entries()) {
      if (reply instanceof Error) throw reply;
      if (Array.isArray(reply) && reply.length === 0) yield rows[index]?.[0] as string;
    }
  }
}
