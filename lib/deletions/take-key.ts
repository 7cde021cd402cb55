import type { DeletionOptions } from '@/lib/model/deletion';
import type { WritingChannel } from '@/lib/redis/deletion-types';
import { lookAtKey } from '@/lib/redis/look-at-key';
import { readNodeState } from '@/lib/redis/node-state';
import { renameAway } from '@/lib/redis/rename-away';
import { tombstoneName } from '@/lib/redis/trash-name';
import type { StoredItem } from '@/lib/store/deletion-items';
import { journalOf, saveItem, told } from './item-journal';
import { TryLater } from './stop-work';
import type { Work } from './work';

/** Below this the key may vanish under our hands. */
const SOON_MS = 60_000;
/** How long a replica may take to hear of the rename before the work waits and says so. */
const REPLICA_MS = 2_000;

export const tombstoneOf = (item: StoredItem): Buffer => tombstoneName(item.slot, item.deletionId, item.seq);

/**
 * Sets one key aside under a name of ours, if it still is what the plan saw: same type, about the same length. From
 * then on readers see it gone, and nobody else writes what we remove. Returns whether it is set aside.
 */
export async function takeKey(work: Work, item: StoredItem): Promise<boolean> {
  const options = work.deletion.plan.options as DeletionOptions;
  const desk = work.desks.at(item.slot);
  const channel = await desk.channel(item.db);
  const look = await lookAtKey(channel, item.name);
  const ended = { endedAt: Date.now() };
  if (look.type === null) {
    await saveItem(work, item, { state: 'vanished', reason: told('gone_before'), ...ended });
    return false;
  }
  const change = changeOf(item, look, options.tolerancePercent);
  if (change) {
    await saveItem(work, item, { state: 'aborted', reason: change, ...ended });
    return false;
  }
  if (options.onExpiring === 'skip' && look.expireAt !== null && look.expireAt - Date.now() < SOON_MS) {
    await saveItem(work, item, { state: 'skipped', reason: told('expires_soon'), ...ended });
    return false;
  }
  await saveItem(work, item, {
    startedAt: item.startedAt ?? Date.now(),
    reason: null,
    journal: {
      ...journalOf(item),
      intent: true,
      address: desk.address,
      runId: desk.node.runId,
      look: { type: look.type, encoding: look.encoding, length: look.length, bytes: look.bytes },
      expireAt: look.expireAt,
    },
  });
  const renamed = await renameAway(channel, {
    name: item.name,
    tombstone: tombstoneOf(item),
    type: look.type,
    length: look.length,
    tolerancePercent: options.tolerancePercent,
  });
  if (renamed.outcome === 'taken') {
    // Both names exist: an earlier attempt of ours succeeded and the application made the key anew.
    await saveItem(work, item, { state: 'tombstoned', reason: told('recreated') });
    return true;
  }
  if (renamed.outcome !== 'renamed') {
    const changed = renamed.outcome === 'changed';
    await saveItem(work, item, {
      state: changed ? 'aborted' : 'vanished',
      reason: told(changed ? 'changed_meanwhile' : 'gone_before'),
      journal: null,
      ...ended,
    });
    return false;
  }
  const journal = journalOf(item);
  const length = renamed.length ?? look.length;
  await saveItem(work, item, {
    state: 'tombstoned',
    journal: {
      ...journal,
      look: {
        ...journal.look,
        type: look.type,
        encoding: look.encoding,
        length,
        bytes: look.bytes,
      },
      expireAt: renamed.expireAt,
    },
  });
  return true;
}

/** Nothing is removed before a replica knows of the rename: a failover would bring the old name back, half empty. */
export async function awaitReplicas(work: Work, item: StoredItem): Promise<void> {
  const desk = work.desks.at(item.slot);
  const channel = await desk.channel(item.db);
  const { replicas } = await readNodeState(channel);
  if (!replicas) return;
  if (!journalOf(item).replicated) await saveItem(work, item, { journal: { ...journalOf(item), replicated: true } });
  // WAIT speaks of the writes of its own connection: this one changes nothing, and stands behind the rename.
  await channel.call(['PERSIST', tombstoneOf(item)]);
  await followed(channel);
}

/**
 * Nothing is called done before a replica has followed the end: what a master that is being replaced still takes is
 * lost with it, and the key would stay set aside on the new one.
 */
export async function awaitEnd(work: Work, item: StoredItem): Promise<void> {
  if (!journalOf(item).replicated) return;
  const channel = await work.desks.at(item.slot).channel(item.db);
  await channel.call(['UNLINK', tombstoneOf(item)]);
  await followed(channel);
}

async function followed(channel: WritingChannel): Promise<void> {
  if ((await channel.call(['WAIT', '1', String(REPLICA_MS)])) === 0)
    throw new TryLater({ code: 'not_replicated', params: {} });
}

export function changeOf(
  item: StoredItem,
  look: { type: string | null; length: number | null },
  tolerancePercent: number,
) {
  if (item.type !== null && look.type !== item.type)
    return told('changed_type', { was: item.type, is: look.type ?? '?' });
  const was = item.facts.length;
  if (was === null || look.length === null) return null;
  const allowed = Math.max(1, (was * tolerancePercent) / 100);
  return Math.abs(look.length - was) > allowed ? told('changed_length', { was, is: look.length }) : null;
}
