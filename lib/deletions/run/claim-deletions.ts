import { recordAudit } from '@/lib/access/audit/record';
import { getJournal } from '@/lib/deletions/journal/item-journal';
import { buildTombstoneNameAt } from '@/lib/deletions/journal/item-names';
import { mayHaveTombstone } from '@/lib/deletions/journal/may-have-tombstone';
import { ENGINE } from '@/lib/model/actor';
import { encodeKey } from '@/lib/model/keys/key-id';
import { isSamePlace, type ServerIdentity } from '@/lib/model/servers/server-identity';
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
  is: ServerIdentity,
  found: {
    keys: readonly FoundInternalKey[];
    /** Whether an administrator of all instances started the search. */
    byAdministrator: boolean;
  },
): Promise<void> {
  if (!found.byAdministrator) return;
  await runTransaction(async (tx) => {
    const instance = await getInstanceRow(instanceId, tx);
    if (!instance) return;
    const stranded = await findStrandedDeletions(await holdClock(tx), tx);
    const own: StoredDeletion[] = [];
    for (const deletion of stranded) {
      const { plan, server } = deletion;
      const isKnown = server !== null && (hasKnownId(server, is) || judgeServerIdentity(server, is) === 'same');
      if (isKnown || (await findsTombstone(plan.id, found.keys, tx))) own.push(deletion);
    }
    const ids = own.map(({ plan }) => plan.id);
    if (ids.length === 0) return;
    const place = toRegistration(instance.settings);
    for (const { plan, server } of own) {
      const elsewhere = server === null || !isSamePlace(server, place);
      await moveDeletions([plan.id], { id: instanceId, name: instance.settings.name, elsewhere }, tx);
    }
    await recordAudit(tx, {
      action: 'deletion.claim',
      subject: instanceId,
      instanceId,
      actor: ENGINE,
      details: { deletions: ids },
    });
    log().info({ instance: instanceId, deletions: ids }, 'deletion.claimed');
  });
}

/** Whether one of these keys can be a tombstone of this deletion: its name, database and type are those of an item. */
async function findsTombstone(deletionId: string, keys: readonly FoundInternalKey[], tx: Tx): Promise<boolean> {
  const named = keys.filter((key) => key.kind === 'tombstone' && key.deletionId === deletionId);
  if (named.length === 0) return false;
  const items = await listItems({ deletionId, seqs: named.map(({ seq }) => seq) }, tx);
  return items.filter(mayHaveTombstone).some((item) => {
    const { look, tombstones = [0] } = getJournal(item);
    const names = tombstones.map((attempt) => encodeKey(buildTombstoneNameAt(item, attempt)));
    const type = look?.type ?? item.type;
    return named.some((key) => key.db === item.db && key.type === type && names.includes(key.k));
  });
}
