import { destinationPolicy } from '@/lib/credentials/destination-policy';
import { openTarget } from '@/lib/credentials/open-target';
import type { Actor } from '@/lib/model/actor';
import type { Leftover } from '@/lib/model/deletion';
import { displayName } from '@/lib/model/display-name';
import { encodeKey } from '@/lib/model/key-id';
import { openSession } from '@/lib/redis/connect';
import { findLeftovers } from '@/lib/redis/find-leftovers';
import { readKeyspace } from '@/lib/redis/keyspace';
import { listItems } from '@/lib/store/deletion-items';
import { getStoredDeletion } from '@/lib/store/deletions';

/** Enough to see what happened; more of them have the same cause. */
const MOST = 1000;
const UNFINISHED = new Set(['planned', 'tombstoned', 'quarantined', 'draining', 'restoring', 'needs_review']);

/** Every key of ours on the servers, and whether a deletion still owns it. Shown only: nothing removes one by itself. */
export async function leftovers(_actor: Actor, instanceId: string): Promise<Leftover[]> {
  const session = await openSession(await openTarget(instanceId), await destinationPolicy());
  try {
    const found: Leftover[] = [];
    for await (const one of findLeftovers(session, async (address) =>
      (await readKeyspace(session, address)).databases.map(({ db }) => db),
    )) {
      const deletion = await getStoredDeletion(one.deletionId);
      const [item] = deletion ? await listItems({ deletionId: one.deletionId, seqs: [one.seq] }) : [];
      found.push({
        k: encodeKey(one.name),
        name: displayName(one.name).name,
        db: one.db,
        address: one.address,
        kind: one.kind,
        deletionId: deletion ? one.deletionId : null,
        seq: item ? one.seq : null,
        type: one.type,
        bytes: one.bytes,
        owned: item !== undefined && UNFINISHED.has(item.state),
        original: item?.facts.name ?? null,
      });
      if (found.length >= MOST) break;
    }
    return found;
  } finally {
    await session.close();
  }
}
