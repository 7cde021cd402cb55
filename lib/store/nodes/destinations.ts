import type { Destination } from '@/lib/model/servers/destination';
import { getDb, type Tx } from '@/lib/store/open-store';

/** The confirmed addresses of an instance, in addition to those it is registered with. */
export async function listDestinations(instanceId: string, tx?: Tx): Promise<Destination[]> {
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('instance_destinations')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('address')
    .execute();
  return rows.map((row) => ({ address: row.address, confirmedBy: row.confirmed_by, confirmedAt: row.confirmed_at }));
}

/** Returns the addresses that were not there before. */
export async function insertDestinations(instanceId: string, added: Destination[], tx: Tx): Promise<string[]> {
  const known = new Set((await listDestinations(instanceId, tx)).map(({ address }) => address));
  const fresh = added.filter(({ address }) => !known.has(address));
  for (const { address, confirmedBy, confirmedAt } of fresh)
    await tx
      .insertInto('instance_destinations')
      .values({ instance_id: instanceId, address, confirmed_by: confirmedBy, confirmed_at: confirmedAt })
      .execute();
  return fresh.map(({ address }) => address);
}

/** Returns the addresses that were there. */
export async function deleteDestinations(instanceId: string, addresses: string[], tx: Tx): Promise<string[]> {
  const known = new Set((await listDestinations(instanceId, tx)).map(({ address }) => address));
  const gone = addresses.filter((address) => known.has(address));
  if (gone.length === 0) return [];
  await tx
    .deleteFrom('instance_destinations')
    .where('instance_id', '=', instanceId)
    .where('address', 'in', gone)
    .execute();
  return gone;
}

export async function forgetDestinations(instanceId: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('instance_destinations').where('instance_id', '=', instanceId).execute();
}
