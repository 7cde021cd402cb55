/** Events: each is written in the transaction of what happened, and deleted once every handler is through with it. */

import { wakeWorker } from './engines/wake-worker';
import { generateId } from './generate-id';
import { readStoreNow } from './jobs';
import { getDb, type Tx } from './open-store';

export type StoreEvent = {
  id: string;
  /** When it happened, epoch ms. */
  at: number;
  instanceId: string | null;
  /** How often a handler has failed. */
  tries: number;
} & (
  | {
      /** A sealed snapshot was evaluated under a policy for the first time. */
      kind: 'snapshot.evaluated';
      /** The snapshot. */
      subject: string;
      details: { policyHash: string };
    }
  | {
      /** A job ended by itself: it succeeded, failed, or was cancelled while it ran. */
      kind: 'job.ended';
      /** The job. */
      subject: string;
      details: { kind: string; state: 'succeeded' | 'failed' | 'cancelled'; snapshotId: string | null };
    }
);

/** The same for one kind of event after the other, because Omit would mix them. */
type New<E> = E extends StoreEvent ? Omit<E, 'id' | 'at' | 'tries'> : never;

export async function appendEvent(event: New<StoreEvent>, tx: Tx): Promise<void> {
  const at = await readStoreNow(tx);
  const { kind, subject, instanceId, details } = event;
  const row = { kind, subject, instance_id: instanceId, details: JSON.stringify(details) };
  await tx
    .insertInto('events')
    .values({ id: generateId(at), at, ...row, tries: 0, due_at: 0 })
    .execute();
  wakeWorker();
}

/**
 * Returns the oldest event that is due; null = there is none. The events of an instance are returned in their order: one
 * that waits for another try holds back the later ones.
 */
export async function readNextEvent(): Promise<StoreEvent | null> {
  const db = await getDb(undefined);
  const now = await readStoreNow();
  const row = await db
    .selectFrom('events')
    .selectAll()
    .where('due_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('events as earlier')
            .select('earlier.id')
            .whereRef('earlier.instance_id', '=', 'events.instance_id')
            .whereRef('earlier.id', '<', 'events.id')
            .where('earlier.due_at', '>', now),
        ),
      ),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { id, at, kind, subject, instance_id: instanceId, details, tries } = row;
  return { id, at, kind, subject, instanceId, tries, details: JSON.parse(details) } as StoreEvent;
}

export async function deleteEvent(id: string): Promise<void> {
  await (await getDb(undefined)).deleteFrom('events').where('id', '=', id).execute();
}

/** Lets an event wait for another try, `waitMs` from now. */
export async function postponeEvent({ id, tries }: StoreEvent, waitMs: number): Promise<void> {
  const due_at = (await readStoreNow()) + waitMs;
  const db = await getDb(undefined);
  await db
    .updateTable('events')
    .set({ tries: tries + 1, due_at })
    .where('id', '=', id)
    .execute();
}
