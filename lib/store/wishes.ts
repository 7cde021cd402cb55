import { createHash } from 'node:crypto';
import { AppError, type ErrorCode, type ErrorDetails } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { Preparation } from '@/lib/model/snapshots/preparation';
import { log } from '@/lib/runtime/log';
import { wakeWorker } from './engines/wake-worker';
import { readStoreNow } from './jobs';
import { getDb, runRowTransaction } from './open-store';
import { isWorkerPresent } from './workers';

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
/** An answer or an error is kept for so long. */
const KEEP_MS = 10 * 60_000;
const MAX_TRIES = 3;
const KILLED =
  'Each worker that prepared this ended before it was done, three times in a row, most likely because the memory of the ' +
  'machine was used up. Free some, then try again in ten minutes.';
/** A preparation whose worker says no more how far it is has ended with it. */
const SILENT_MS = 20_000;

/** The same wish of many pages is one row; a policy is known by its hash. */
const hashWish = (wish: Wish): string => {
  const asked = 'policy' in wish ? { ...wish, policy: wish.policy.hash } : wish;
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
};

interface WishOptions {
  /** A request that has ended is made again only this many ms after its end. */
  againMs?: number;
  /** The request is not made while another one of its kind waits or is served. */
  alone?: boolean;
}

/** Leaves a request for a worker. One that waits or is served already stays as it is. */
export async function makeWish(wish: Wish, { againMs = 0, alone = false }: WishOptions = {}): Promise<void> {
  const id = hashWish(wish);
  const isThere = async (tx?: Parameters<typeof getDb>[0]) => {
    const db = await getDb(tx);
    const row = await db.selectFrom('wishes').select(['ended_at', 'tries']).where('id', '=', id).executeTakeFirst();
    if (row === undefined) return false;
    // A request that has ended its workers would end the next one too.
    const restMs = row.tries >= MAX_TRIES ? Math.max(againMs, KEEP_MS) : againMs;
    const agoMs = row.ended_at === null ? 0 : (await readStoreNow(tx)) - row.ended_at;
    // One that ended in the future did so before the clock went back.
    return row.ended_at === null || (agoMs >= 0 && agoMs < restMs);
  };
  // This first look takes no lock, because pages call this again and again.
  if (await isThere()) return;
  await runRowTransaction(async (tx) => {
    if ((await isThere(tx)) || (alone && (await isOneOpen(wish.kind, tx)))) return;
    const now = await readStoreNow(tx);
    const fresh = { made_at: now, claimed_until: 0, tries: 0, ended_at: null, answer: null, error: null };
    const snapshot_id = 'snapshotId' in wish ? wish.snapshotId : null;
    await tx
      .insertInto('wishes')
      .values({ id, wish: JSON.stringify(wish), kind: wish.kind, snapshot_id, ...fresh })
      .onConflict((c) => c.column('id').doUpdateSet(fresh))
      .execute();
    wakeWorker();
  });
}

async function isOneOpen(kind: Wish['kind'], tx: Parameters<typeof getDb>[0]): Promise<boolean> {
  const open = (await getDb(tx)).selectFrom('wishes').select('id').where('kind', '=', kind);
  return (await open.where('ended_at', 'is', null).limit(1).executeTakeFirst()) !== undefined;
}

/** For who does not wait for it: what cannot be wished now is wished by the next page. */
export const makeWishSoon = (wish: Wish, options?: WishOptions): Promise<void> =>
  makeWish(wish, options).catch((error) => log().warn({ kind: wish.kind, err: error }, 'wish.not_made'));

/** null: nobody has wished it, or it was served and leaves no answer. Errors: the one that it ended with. */
export async function readWish(wish: Wish): Promise<{ isOpen: boolean; answer: unknown } | null> {
  const row = await (await getDb(undefined))
    .selectFrom('wishes')
    .select(['ended_at', 'answer', 'error'])
    .where('id', '=', hashWish(wish))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.error !== null) throw parseError(row.error);
  return { isOpen: row.ended_at === null, answer: row.answer === null ? null : JSON.parse(row.answer) };
}

export interface ClaimedWish {
  id: string;
  wish: Wish;
  /** A worker has died with it: while it is served, this worker serves nothing else. */
  alone: boolean;
}

/**
 * Claims requests that no worker serves, one of each instance at a time. Instances take turns, so that what one of them
 * has asked for in vain does not hold up the others. `idle`: this worker serves none.
 *
 * Nobody knows which of its requests a worker has died of. All of them are served again, each alone, so that only the
 * one that ends workers is counted further. After `MAX_TRIES` it ends with an error: whatever it does to its worker, the
 * jobs of that worker suffer from it too.
 */
export async function claimWishes(max: number, idle = true): Promise<ClaimedWish[]> {
  const db = await getDb(undefined);
  const now = await readStoreNow();
  const mine: ClaimedWish[] = [];
  for (const { id, tries } of await listTurns(now)) {
    if (tries >= MAX_TRIES) {
      await endWish(id, { error: new AppError('too_large', KILLED) });
      continue;
    }
    if (mine.length === max || (tries > 0 && !(idle && mine.length === 0))) break;
    const claimed = await db
      .updateTable('wishes')
      .set({ claimed_until: now + CLAIM_MS, tries: tries + 1 })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where(({ eb }) => eb.not(eb.between('claimed_until', now, now + CLAIM_MS)))
      .returning('wish')
      .executeTakeFirst();
    if (claimed) mine.push({ id, wish: JSON.parse(claimed.wish), alone: tries > 0 });
    if (claimed && tries > 0) break;
  }
  return mine;
}

/** Returns the oldest open request of each instance that has none served, the instance first that was served least. */
async function listTurns(now: number) {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('wishes')
    .leftJoin('snapshots', 'snapshots.id', 'wishes.snapshot_id')
    .select(['wishes.id', 'tries', 'claimed_until', 'wishes.ended_at', 'instance_id', 'snapshot_id'])
    .orderBy('made_at')
    .execute();
  const turns = new Map<string, { id: string; tries: number }>();
  const servedAt = new Map<string, number>();
  const served = new Set<string>();
  for (const { id, tries, claimed_until, ended_at, instance_id, snapshot_id } of rows) {
    const of = instance_id ?? snapshot_id ?? id;
    if (ended_at !== null) servedAt.set(of, Math.max(ended_at, servedAt.get(of) ?? 0));
    // A claim that reaches further was made before the clock went back.
    else if (claimed_until >= now && claimed_until <= now + CLAIM_MS) served.add(of);
    else if (!turns.has(of)) turns.set(of, { id, tries });
  }
  return [...turns]
    .filter(([of]) => !served.has(of))
    .sort(([a], [b]) => (servedAt.get(a) ?? 0) - (servedAt.get(b) ?? 0))
    .map(([, turn]) => turn);
}

/** Says that this worker still serves the request. */
export async function renewWish(id: string): Promise<void> {
  const until = (await readStoreNow()) + CLAIM_MS;
  await (await getDb(undefined)).updateTable('wishes').set({ claimed_until: until }).where('id', '=', id).execute();
}

/** Leaves the request to another worker at once, because this one ends on purpose. That does not count as a try. */
export async function giveBackWish(id: string): Promise<void> {
  await (await getDb(undefined))
    .updateTable('wishes')
    .set(({ eb }) => ({ claimed_until: 0, tries: eb('tries', '-', 1) }))
    .where('id', '=', id)
    .execute();
}

/** What has ended long ago goes with it. */
export async function endWish(id: string, end: { answer: unknown } | { error: unknown }): Promise<void> {
  const db = await getDb(undefined);
  const now = await readStoreNow();
  const outcome =
    'error' in end
      ? { answer: null, error: JSON.stringify(toPlainError(end.error)) }
      : { answer: toAnswerText(end.answer), error: null };
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

const toAnswerText = (answer: unknown) => (answer === undefined ? null : JSON.stringify(answer));

const toPlainError = (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof AppError ? { code: error.code, message, details: error.details } : { code: null, message };
};

function parseError(text: string): Error {
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
  const said = { task, share, said_at: await readStoreNow() };
  await (await getDb(undefined))
    .insertInto('preparations')
    .values({ snapshot_id: snapshotId, ...said })
    .onConflict((c) => c.column('snapshot_id').doUpdateSet(said))
    .execute();
}

export async function removePreparation(snapshotId: string): Promise<void> {
  await (await getDb(undefined)).deleteFrom('preparations').where('snapshot_id', '=', snapshotId).execute();
}

/** What a worker makes of the snapshot now, or was asked to make; null = nothing. */
export async function findPreparation(snapshotId: string): Promise<Preparation | null> {
  const db = await getDb(undefined);
  const now = await readStoreNow();
  const row = await db
    .selectFrom('preparations')
    .select(['task', 'share'])
    .where('snapshot_id', '=', snapshotId)
    .where(({ between }) => between('said_at', now - SILENT_MS, now + SILENT_MS))
    .executeTakeFirst();
  if (row) return { ...row, waitsFor: null };
  const wished = await db
    .selectFrom('wishes')
    .select('kind')
    .where('snapshot_id', '=', snapshotId)
    .where('ended_at', 'is', null)
    .where('kind', 'in', ['roll-up', 'evaluate'])
    .executeTakeFirst();
  if (!wished) return null;
  const waitsFor = (await isWorkerPresent()) ? 'turn' : 'worker';
  return { task: wished.kind as Preparation['task'], waitsFor, share: null };
}
