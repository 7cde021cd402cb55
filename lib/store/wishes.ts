import { createHash } from 'node:crypto';
import { AppError, type ErrorCode, type ErrorDetails } from '@/lib/model/errors';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { log } from '@/lib/runtime/log';
import { wakeWorker } from './engines/wake-worker';
import { readStoreNow } from './jobs';
import { getDb, runRowTransaction, type Tx } from './open-store';

/**
 * Work on snapshots that a page needs and leaves to a worker. A wish is open until the worker that has claimed it
 * stores its answer or error.
 */
export type Wish =
  /** Rolls up the newest snapshots of an instance and evaluates them under its policy. */
  | { kind: 'check'; instanceId: string }
  | { kind: 'roll-up'; snapshotId: string }
  | { kind: 'evaluate'; snapshotId: string; policy: EffectivePolicy }
  /** Compares the findings with those of another snapshot. A `scope` without fields = of all keys. */
  | {
      kind: 'compare';
      snapshotId: string;
      previousId: string;
      policy: EffectivePolicy;
      scope: Pick<ReportQuery, 'prefix' | 'template' | 'owner' | 'delimiter'>;
    }
  /** Compares the keys with those of another snapshot. Bigkeys are those over these thresholds. */
  | {
      kind: 'compare-keys';
      snapshotId: string;
      otherId: string;
      bigkeys: BigkeyThresholds;
      scope: Pick<ReportQuery, 'prefix' | 'template'>;
    };

/** A claim lasts this long, ms, and is renewed while its worker runs. Afterwards another worker takes the wish. */
export const CLAIM_MS = 10_000;
/** How long a wish is kept after its end, ms, so that pages can read its answer or error. */
const KEEP_MS = 10 * 60_000;
/** How many workers may die while they serve a wish, before it ends with an error. */
const MAX_TRIES = 3;
const WORKERS_DIED =
  'Each worker that prepared this ended before it was done, three times in a row, most likely because the memory of the ' +
  'machine was used up. Free some, then try again in ten minutes.';

/** Returns the same id for the same wish of many pages, so that they share one row. A policy counts by its hash. */
const computeWishId = (wish: Wish): string => {
  const identity = 'policy' in wish ? { ...wish, policy: wish.policy.hash } : wish;
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
};

interface WishOptions {
  /** For this long after its end, ms, the same wish is not made again. */
  againMs?: number;
  /** The wish is not made while another one of its kind is open. */
  alone?: boolean;
}

/** Stores a wish for a worker, unless the same one is open or has just ended. */
export async function makeWish(wish: Wish, { againMs = 0, alone = false }: WishOptions = {}): Promise<void> {
  const id = computeWishId(wish);
  // Pages repeat their wishes, so the first check takes no lock.
  if (await isOpenOrRecent(id, againMs)) return;
  await runRowTransaction(async (tx) => {
    if ((await isOpenOrRecent(id, againMs, tx)) || (alone && (await hasOpenWish(wish.kind, tx)))) return;
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

/** Whether a wish is open, or has ended less than `againMs` ago. */
async function isOpenOrRecent(id: string, againMs: number, tx?: Tx): Promise<boolean> {
  const db = await getDb(tx);
  const row = await db.selectFrom('wishes').select(['ended_at', 'tries']).where('id', '=', id).executeTakeFirst();
  if (row === undefined) return false;
  if (row.ended_at === null) return true;
  // A wish that its workers died of would end the next worker too, so it waits longer.
  const waitMs = row.tries >= MAX_TRIES ? Math.max(againMs, KEEP_MS) : againMs;
  const sinceEndMs = (await readStoreNow(tx)) - row.ended_at;
  // An end in the future was stored before the clock was set back.
  return sinceEndMs >= 0 && sinceEndMs < waitMs;
}

async function hasOpenWish(kind: Wish['kind'], tx: Tx): Promise<boolean> {
  const open = tx.selectFrom('wishes').select('id').where('kind', '=', kind).where('ended_at', 'is', null);
  return (await open.limit(1).executeTakeFirst()) !== undefined;
}

/** Makes a wish for a caller that does not need its answer. It never rejects: the next page makes the wish again. */
export const makeWishSoon = (wish: Wish, options?: WishOptions): Promise<void> =>
  makeWish(wish, options).catch((error) => log().warn({ kind: wish.kind, err: error }, 'wish.not_made'));

/**
 * Returns whether a wish is open, and its answer (null = none yet, or its result is in files); null = there is no such
 * wish. Throws the error that the wish ended with.
 */
export async function readWish(wish: Wish): Promise<{ isOpen: boolean; answer: unknown } | null> {
  const row = await (await getDb(undefined))
    .selectFrom('wishes')
    .select(['ended_at', 'answer', 'error'])
    .where('id', '=', computeWishId(wish))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.error !== null) throw parseError(row.error);
  return { isOpen: row.ended_at === null, answer: row.answer === null ? null : JSON.parse(row.answer) };
}

export interface ClaimedWish {
  id: string;
  wish: Wish;
  /** A worker has died while it served the wish, so this worker serves nothing else meanwhile. */
  alone: boolean;
}

/**
 * Claims up to `max` open wishes that no worker serves, one of each instance at a time. Instances take turns, so that
 * many wishes of one instance do not delay those of others. `idle` = this worker serves no wish now.
 *
 * It is unknown which of its wishes a worker has died of. So all of them are served again, but each alone: only the one
 * that ends workers uses up its tries. It ends with an error at last, because the jobs of such a worker end with it.
 */
export async function claimWishes(max: number, idle = true): Promise<ClaimedWish[]> {
  const db = await getDb(undefined);
  const now = await readStoreNow();
  const claimed: ClaimedWish[] = [];
  for (const { id, tries } of await listNextWishes(now)) {
    if (tries >= MAX_TRIES) {
      await endWish(id, { error: new AppError('too_large', WORKERS_DIED) });
      continue;
    }
    const alone = tries > 0;
    const servesOthers = !idle || claimed.length > 0;
    if (claimed.length === max || (alone && servesOthers)) break;
    const row = await db
      .updateTable('wishes')
      .set({ claimed_until: now + CLAIM_MS, tries: tries + 1 })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      // The same condition as in `listNextWishes`: another worker may have claimed it since.
      .where(({ eb }) => eb.not(eb.between('claimed_until', now, now + CLAIM_MS)))
      .returning('wish')
      .executeTakeFirst();
    if (!row) continue;
    claimed.push({ id, wish: JSON.parse(row.wish), alone });
    if (alone) break;
  }
  return claimed;
}

/** Returns the oldest open wish of each instance of which none is served; the instance served longest ago is first. */
async function listNextWishes(now: number): Promise<{ id: string; tries: number }[]> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('wishes')
    .leftJoin('snapshots', 'snapshots.id', 'wishes.snapshot_id')
    .select(['wishes.id', 'tries', 'claimed_until', 'wishes.ended_at', 'instance_id', 'snapshot_id'])
    .orderBy('made_at')
    .execute();
  const next = new Map<string, { id: string; tries: number }>();
  const servedAt = new Map<string, number>();
  const servedNow = new Set<string>();
  for (const { id, tries, claimed_until, ended_at, instance_id, snapshot_id } of rows) {
    // Without a known instance, the snapshot or the wish itself takes a turn.
    const owner = instance_id ?? snapshot_id ?? id;
    // A claim that lasts longer was stored before the clock was set back.
    const isClaimed = claimed_until >= now && claimed_until <= now + CLAIM_MS;
    if (ended_at !== null) servedAt.set(owner, Math.max(ended_at, servedAt.get(owner) ?? 0));
    else if (isClaimed) servedNow.add(owner);
    else if (!next.has(owner)) next.set(owner, { id, tries });
  }
  return [...next]
    .filter(([owner]) => !servedNow.has(owner))
    .sort(([a], [b]) => (servedAt.get(a) ?? 0) - (servedAt.get(b) ?? 0))
    .map(([, wish]) => wish);
}

/** Extends the claim of a wish that this worker serves. */
export async function renewWish(id: string): Promise<void> {
  const until = (await readStoreNow()) + CLAIM_MS;
  await (await getDb(undefined)).updateTable('wishes').set({ claimed_until: until }).where('id', '=', id).execute();
}

/**
 * Releases a claim, so that another worker takes the wish at once. It is no try, because this worker ends on purpose.
 */
export async function giveBackWish(id: string): Promise<void> {
  await (await getDb(undefined))
    .updateTable('wishes')
    .set(({ eb }) => ({ claimed_until: 0, tries: eb('tries', '-', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Ends a wish with its answer (undefined = none) or its error, and deletes wishes that ended long ago. */
export async function endWish(id: string, end: { answer: unknown } | { error: unknown }): Promise<void> {
  const db = await getDb(undefined);
  const now = await readStoreNow();
  const answer = 'answer' in end && end.answer !== undefined ? JSON.stringify(end.answer) : null;
  const error = 'error' in end ? formatError(end.error) : null;
  await db.updateTable('wishes').set({ ended_at: now, answer, error }).where('id', '=', id).execute();
  await db
    .deleteFrom('wishes')
    .where('ended_at', '<', now - KEEP_MS)
    .execute();
}

function formatError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return JSON.stringify(
    error instanceof AppError ? { code: error.code, message, details: error.details } : { code: null, message },
  );
}

function parseError(text: string): Error {
  const { code, message, details } = JSON.parse(text) as {
    code: ErrorCode | null;
    message: string;
    details?: ErrorDetails;
  };
  return code === null ? new Error(message) : new AppError(code, message, details);
}
