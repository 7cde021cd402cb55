import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { UNFINISHED_STATES } from '@/lib/deletions/journal/may-have-tombstone';
import {
  countKeysRead,
  type FoundInternalKey,
  type LeftoversCheckpoint,
} from '@/lib/deletions/run/leftovers-checkpoint';
import type { Actor } from '@/lib/model/actor';
import type { Leftover, LeftoversAnswer } from '@/lib/model/deletions/leftovers';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { decodeKey } from '@/lib/model/keys/key-id';
import { listItems } from '@/lib/store/deletions/deletion-items';
import { getStoredDeletion } from '@/lib/store/deletions/deletions';
import { findStoredJobs } from '@/lib/store/jobs';

/**
 * Returns what the newest search for internal keys has found, and whether a deletion still owns each. It reads only the
 * store. The keys are only shown: nothing deletes them automatically.
 */
export const getLeftovers = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string): Promise<LeftoversAnswer> => {
    const [stored] = await findStoredJobs({ instanceId, kind: 'leftovers', limit: 1 });
    if (!stored) return { search: null, leftovers: [] };
    const { job } = stored;
    const checkpoint = stored.checkpoint as LeftoversCheckpoint | null;
    const search = {
      jobId: job.id,
      state: job.state,
      startedAt: job.startedAt,
      endedAt: job.endedAt,
      keysRead: checkpoint === null ? null : countKeysRead(checkpoint),
      skipped: checkpoint?.skipped ?? [],
      cut: checkpoint?.cut ?? false,
    };
    const leftovers: Leftover[] = [];
    for (const found of checkpoint?.found ?? []) leftovers.push(await describeLeftover(found, instanceId));
    return { search, leftovers };
  },
);

/** Describes one internal key. If it belongs to a deletion of another instance, only that it is in use is shown. */
export async function describeLeftover(internalKey: FoundInternalKey, instanceId: string): Promise<Leftover> {
  const { deletionId, seq, ...shown } = internalKey;
  const deletion = await getStoredDeletion(deletionId);
  const [item] = deletion ? await listItems({ deletionId, seqs: [seq] }) : [];
  const isOwn = deletion?.plan.instanceId === instanceId;
  return {
    ...shown,
    name: toDisplayName(decodeKey(internalKey.k)).name,
    deletionId: isOwn ? deletionId : null,
    seq: isOwn && item ? seq : null,
    owned: item !== undefined && UNFINISHED_STATES.has(item.state),
    original: isOwn ? (item?.facts.name ?? null) : null,
  };
}
