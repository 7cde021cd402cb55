import { createHash } from 'node:crypto';
import { log } from '@/lib/log';
import { AppError, type ErrorCode, type ErrorDetails } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { Preparation } from '@/lib/model/snapshots/preparation';
import { wakeWorker } from './engines/wake-worker';
import { storeNow } from './jobs';
import { dbOf, rowTransaction } from './open-store';

/** What a page leaves for a worker to do, because no page computes it. */
export type Wish =
  /** The newest snapshots of an instance, rolled up and checked against its policy. */
  | { kind: 'check'; instanceId: string }
  | { kind: 'roll-up'; snapshotId: string }
  | { kind: 'evaluate'; snapshotId: string; policy: EffectivePolicy }
  /** With an earlier snapshot. `scope` without fields: the whole. */
  | {
      kind: 'compare';
      snapshotId: string;
      previousId: string;
      policy: EffectivePolicy;
      scope: Pick<ReportQuery, 'prefix' | 'template' | 'owner' | 'delimiter'>;
    };

/** Who has taken a wish says so again and again; after this long without a sign another worker takes it. */
export const CLAIM_MS = 10_000;
/** An answer or an error is there for so long. */
const KEEP_MS = 10 * 60_000;
/** A preparation whose worker says no more how far it is has ended with it. */
const SILENT_MS = 20_000;

/** The same wish of many pages is one row; a policy is known by its hash. */
const idOf = (wish: Wish): string => {
  const asked = 'policy' in wish ? { ...wish, policy: wish.policy.hash } : wish;
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
};

/** One that waits or is served stays as it is; one that has ended is made again `againMs` after its end. */
export async function makeWish(wish: Wish, againMs = 0): Promise<void> {
  const id = idOf(wish);
  const isThere = async (tx?: Parameters<typeof dbOf>[0]) => {
    const row = await (await dbOf(tx)).selectFrom('wishes').select('ended_at').where('id', '=', id).executeTakeFirst();
    return row !== undefined && (row.ended_at === null || row.ended_at > (await storeNow(tx)) - againMs);
  };
  // Looked outside first: pages ask again and again.
  if (await isThere()) return;
  await rowTransaction(async (tx) => {
    if (await isThere(tx)) return;
    const now = await storeNow(tx);
    const fresh = { made_at: now, claimed_until: 0, ended_at: null, answer: null, error: null };
    const snapshot_id = 'snapshotId' in wish ? wish.snapshotId : null;
    await tx
      .insertInto('wishes')
      .values({ id, wish: JSON.stringify(wish), kind: wish.kind, snapshot_id, ...fresh })
      .onConflict((c) => c.column('id').doUpdateSet(fresh))
      .execute();
    wakeWorker();
  });
}

/** For who does not wait for it: what cannot be wished now is wished by the next page. */
export const wishSoon = (wish: Wish, againMs?: number): Promise<void> =>
  makeWish(wish, againMs).catch((error) => log().warn({ kind: wish.kind, err: error }, 'wish.not_made'));

/** null: nobody has wished it, or it was served and leaves no answer. Errors: the one that it ended with. */
export async function readWish(wish: Wish): Promise<{ isOpen: boolean; answer: unknown } | null> {
  const row = await (await dbOf(undefined))
    .selectFrom('wishes')
    .select(['ended_at', 'answer', 'error'])
    .where('id', '=', idOf(wish))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.error !== null) throw errorIn(row.error);
  return { isOpen: row.ended_at === null, answer: row.answer === null ? null : JSON.parse(row.answer) };
}

export interface ClaimedWish {
  id: string;
  wish: Wish;
}

/** The oldest that nobody serves, now for this worker to serve. */
export async function claimWishes(max: number): Promise<ClaimedWish[]> {
  const db = await dbOf(undefined);
  const now = await storeNow();
  const found = await db
    .selectFrom('wishes')
    .select(['id', 'wish'])
    .where('ended_at', 'is', null)
    .where('claimed_until', '<', now)
    .orderBy('made_at')
    .limit(max)
    .execute();
  const mine: ClaimedWish[] = [];
  for (const { id, wish } of found) {
    const { numUpdatedRows } = await db
      .updateTable('wishes')
      .set({ claimed_until: now + CLAIM_MS })
      .where('id', '=', id)
      .where('claimed_until', '<', now)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) mine.push({ id, wish: JSON.parse(wish) });
  }
  return mine;
}

/** `forMs` below 0: another worker may take it at once. */
export async function renewWish(id: string, forMs = CLAIM_MS): Promise<void> {
  const until = (await storeNow()) + forMs;
  await (await dbOf(undefined)).updateTable('wishes').set({ claimed_until: until }).where('id', '=', id).execute();
}

/** What has ended long ago goes with it. */
export async function endWish(id: string, end: { answer: unknown } | { error: unknown }): Promise<void> {
  const db = await dbOf(undefined);
  const now = await storeNow();
  const outcome =
    'error' in end
      ? { answer: null, error: JSON.stringify(plainError(end.error)) }
      : { answer: textOf(end.answer), error: null };
  await db
    .updateTable('wishes')
    .set({ ended_at: now, ...outcome })
    .where('id', '=', id)
    .execute();
  await db
    .deleteFrom('wishes')
    .where('ended_at', '<', now - KEEP_MS)
    .execute();
}

const textOf = (answer: unknown) => (answer === undefined ? null : JSON.stringify(answer));

const plainError = (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof AppError ? { code: error.code, message, details: error.details } : { code: null, message };
};

function errorIn(text: string): Error {
  const { code, message, details } = JSON.parse(text) as {
    code: ErrorCode | null;
    message: string;
    details?: ErrorDetails;
  };
  return code === null ? new Error(message) : new AppError(code, message, details);
}

/** How far it is; `share` from 0 to 1, null = unknown. */
export async function putPreparation(
  snapshotId: string,
  { task, share }: Pick<Preparation, 'task' | 'share'>,
): Promise<void> {
  const said = { task, share, said_at: await storeNow() };
  await (await dbOf(undefined))
    .insertInto('preparations')
    .values({ snapshot_id: snapshotId, ...said })
    .onConflict((c) => c.column('snapshot_id').doUpdateSet(said))
    .execute();
}

export async function removePreparation(snapshotId: string): Promise<void> {
  await (await dbOf(undefined)).deleteFrom('preparations').where('snapshot_id', '=', snapshotId).execute();
}

/** What a worker makes of the snapshot now, or was asked to make; null = nothing. */
export async function findPreparation(snapshotId: string): Promise<Preparation | null> {
  const db = await dbOf(undefined);
  const row = await db
    .selectFrom('preparations')
    .select(['task', 'share'])
    .where('snapshot_id', '=', snapshotId)
    .where('said_at', '>', (await storeNow()) - SILENT_MS)
    .executeTakeFirst();
  if (row) return { ...row, waiting: false };
  const wished = await db
    .selectFrom('wishes')
    .select('kind')
    .where('snapshot_id', '=', snapshotId)
    .where('ended_at', 'is', null)
    .where('kind', 'in', ['roll-up', 'evaluate'])
    .executeTakeFirst();
  return wished ? { task: wished.kind as Preparation['task'], waiting: true, share: null } : null;
}
