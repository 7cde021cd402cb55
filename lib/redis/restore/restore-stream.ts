import type { ArchivedKey } from '@/lib/model/deletions/archive';
import { sumBytes } from '@/lib/redis/drain/drain-replies';
import { hasKey } from '@/lib/redis/write/has-key';
import { spendMemory } from '@/lib/redis/write/server-memory';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { restoreGroups } from './restore-groups';
import type { TypeRestorer } from './restorer';

/**
 * The most entries and bytes sent in one write; each entry is a command of some microseconds. A larger entry is sent
 * alone.
 */
const AT_ONCE = 100;
const AT_ONCE_BYTES = 256 * 1024;

/**
 * Restores entries under their own ids, then the stream's id counters, then the groups with their unacknowledged
 * entries.
 */
export const streamRestorer: TypeRestorer = {
  async write(channel, key, chunk) {
    const last = await readLastId(channel, key);
    let commands: Args[] = [];
    let bytes = 0;
    const send = async () => {
      lastIds.delete(channel.stats);
      await spendMemory(
        channel,
        commands.flatMap((command) => command.slice(3) as Buffer[]),
      );
      for (const reply of await channel.callAll(commands)) if (reply instanceof Error) throw reply;
      const [, , id] = commands.at(-1) ?? [];
      if (typeof id === 'string') lastIds.set(channel.stats, { key, id });
      commands = [];
      bytes = 0;
    };
    for (let at = 0; at < chunk.values.length; ) {
      const id = (chunk.values[at] as Buffer).toString('latin1');
      const texts = Number((chunk.values[at + 1] as Buffer).toString('latin1'));
      const fields = chunk.values.slice(at + 2, at + 2 + texts);
      at += 2 + texts;
      // Entries that an earlier attempt has added stay as they are.
      if (last !== null && !isAfter(id, last)) continue;
      const size = sumBytes(fields);
      if (commands.length >= AT_ONCE || (commands.length > 0 && bytes + size > AT_ONCE_BYTES)) await send();
      commands.push(['XADD', key, id, ...fields]);
      bytes += size;
    }
    if (commands.length > 0) await send();
  },

  async finish(channel, key, archived, groups) {
    if (!(await hasKey(channel, key))) await createEmpty(channel, key);
    await setIds(channel, key, archived);
    return restoreGroups(channel, key, groups);
  },
};

/**
 * The last id, by connection. Redis returns the last entry whole, however large it is, so it is read once per
 * connection and key.
 */
const lastIds = new WeakMap<WritingChannel['stats'], { key: Buffer; id: string }>();

async function readLastId(channel: WritingChannel, key: Buffer): Promise<string | null> {
  const known = lastIds.get(channel.stats);
  if (known?.key.equals(key) && (await hasKey(channel, key))) return known.id;
  const [entry] = (await channel.call(['XREVRANGE', key, '+', '-', 'COUNT', '1'])) as [unknown[]?];
  return entry && Buffer.isBuffer(entry[0]) ? entry[0].toString('latin1') : null;
}

/** Creates a stream without entries, even one that never had any, by creating a group and removing it. */
async function createEmpty(channel: WritingChannel, key: Buffer): Promise<void> {
  await channel.call(['XGROUP', 'CREATE', key, 'colonnade', '0', 'MKSTREAM']);
  await channel.call(['XGROUP', 'DESTROY', key, 'colonnade']);
}

async function setIds(channel: WritingChannel, key: Buffer, { stream }: ArchivedKey): Promise<void> {
  if (!stream || stream.lastId === '0-0') return;
  const counted =
    stream.entriesAdded === null || stream.maxDeletedId === null
      ? []
      : ['ENTRIESADDED', String(stream.entriesAdded), 'MAXDELETEDID', stream.maxDeletedId];
  try {
    await channel.call(['XSETID', key, stream.lastId, ...counted]);
  } catch (error) {
    // Servers before 7.0 accept only the id. If the command is denied, new ids continue from the last entry.
    if (!(error instanceof WriteFailure) || (error.kind !== 'denied' && error.kind !== 'refused')) throw error;
    if (error.kind === 'refused') await channel.call(['XSETID', key, stream.lastId]);
  }
}

function isAfter(id: string, other: string): boolean {
  const [ms = 0n, seq = 0n] = id.split('-').map((part) => BigInt(part));
  const [otherMs = 0n, otherSeq = 0n] = other.split('-').map((part) => BigInt(part));
  return ms > otherMs || (ms === otherMs && seq > otherSeq);
}
