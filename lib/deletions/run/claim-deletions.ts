import { recordAudit } from '@/lib/access/audit/record';
import { buildTombstoneNameAt } from '@/lib/deletions/journal/item-names';
import { mayHaveTombstone } from '@/lib/deletions/journal/may-have-tombstone';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { ENGINE } from '@/lib/model/actor';
import { encodeKey } from '@/lib/model/keys/key-id';
import { isSameRegistration, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { toRegistration } from '@/lib/redis/server/read-identity';
import { log } from '@/lib/runtime/log';
import { findStrandedDeletions, holdClock, moveDeletions } from '@/lib/store/deletions/deletion-holds';
import { listItems } from '@/lib/store/deletions/deletion-items';
import type { StoredDeletion } from '@/lib/store/deletions/deletions';
import { getInstanceRow } from '@/lib/store/instances';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { hasKnownId, judgeServerIdentity } from './judge-server-identity';
import type { FoundInternalKey } from './leftovers-checkpoint';

/**
 * Assigns to a server that is registered again the deletions whose tombstones or archives come from its earlier
 * registration. Its ids are only what it reports about itself, its address is entered by those who administer the
 * instance, and anyone who may write keys there can write names of tombstones: therefore only the search of an
 * administrator of all instances claims deletions, a name counts only if that item can have such a tombstone, and a
 * later registration of the original addresses takes back what was claimed elsewhere (`registerInstance`).
 */
export async function claimDeletions(
  instanceId: string,
  answeringServer: ServerIdentity,
  search: {
    keys: readonly FoundInternalKey[];
    /** Whether an administrator of all instances started the search. */
    byAdministrator: boolean;
  },
): Promise<void> {
  if (!search.byAdministrator) return;
  await runTransaction(async (tx) => {
    const instance = await getInstanceRow(instanceId, tx);
    if (!instance) return;
    const strandedDeletions = await findStrandedDeletions(await holdClock(tx), tx);
    const claimed: StoredDeletion[] = [];
    for (const deletion of strandedDeletions) {
      const { plan, server } = deletion;
      const isKnown =
        server !== null &&
        (hasKnownId(server, answeringServer) || judgeServerIdentity(server, answeringServer) === 'same');
      if (isKnown || (await hasTombstoneIn(plan.id, search.keys, tx))) claimed.push(deletion);
    }
    const claimedIds = claimed.map(({ plan }) => plan.id);
    if (claimedIds.length === 0) return;
    const registration = toRegistration(instance.settings);
    for (const { plan, server } of claimed) {
      const isElsewhere = server === null || !isSameRegistration(server, registration);
      await moveDeletions([plan.id], { id: instanceId, name: instance.settings.name, elsewhere: isElsewhere }, tx);
    }
    await recordAudit(tx, {
      action: 'deletion.claim',
      subject: instanceId,
      instanceId,
      actor: ENGINE,
      details: { deletions: claimedIds },
    });
    log().info({ instance: instanceId, deletions: claimedIds }, 'deletion.claimed');
  });
}

/** Whether one of these keys can be a tombstone of this deletion: its name, database and type are those of an item. */
async function hasTombstoneIn(deletionId: string, keys: readonly FoundInternalKey[], tx: Tx): Promise<boolean> {
  const keysOfDeletion = keys.filter((key) => key.kind === 'tombstone' && key.deletionId === deletionId);
  if (keysOfDeletion.length === 0) return false;
  const items = await listItems({ deletionId, seqs: keysOfDeletion.map(({ seq }) => seq) }, tx);
  return items.filter(mayHaveTombstone).some((item) => {
    const { look, tombstones = [0] } = getJournal(item);
    const names = tombstones.map((attempt) => encodeKey(buildTombstoneNameAt(item, attempt)));
    const type = look?.type ?? item.type;
    return keysOfDeletion.some((key) => key.db === item.db && key.type === type && names.includes(key.k));
  });
}
