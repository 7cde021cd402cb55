import { isPresentWorker, type Presence } from '@/lib/model/presence';
import { fromColumns } from './columns';
import { readStoreNow } from './jobs';
import { getDb, type Tx } from './open-store';

/** Rows of processes that were killed are deleted after this many ms; until then they are shown as silent. */
const FORGET_MS = 3_600_000;

/** The processes that share the store, including those that fell silent recently. */
export async function listPresences(tx?: Tx): Promise<Presence[]> {
  const db = await getDb(tx);
  const now = await readStoreNow(tx);
  const rows = await db.selectFrom('workers').selectAll().orderBy('started_at').orderBy('id').execute();
  return rows.map((row) => {
    const { seenAt, ...fields } = fromColumns(row);
    return { ...fields, labels: JSON.parse(row.labels), seenAgoMs: Math.max(0, now - seenAt) };
  });
}

/** Whether a process that runs jobs has given a sign of life. */
export const isWorkerPresent = async (): Promise<boolean> => (await listPresences()).some(isPresentWorker);

export type Sign = Omit<Presence, 'startedAt' | 'seenAgoMs'>;

/** Writes a sign of life, with the time of the database. */
export async function putPresence({ labels, keyId, ...sign }: Sign, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  const now = await readStoreNow(tx);
  await db
    .insertInto('workers')
    .values({ ...sign, labels: JSON.stringify(labels), key_id: keyId, started_at: now, seen_at: now })
    .onConflict((c) => c.column('id').doUpdateSet({ running: sign.running, key_id: keyId, seen_at: now }))
    .execute();
  await db
    .deleteFrom('workers')
    .where('seen_at', '<', now - FORGET_MS)
    .execute();
}

export async function removePresence(id: string): Promise<void> {
  const db = await getDb(undefined);
  await db.deleteFrom('workers').where('id', '=', id).execute();
}
