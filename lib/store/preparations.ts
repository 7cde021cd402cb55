import type { Preparation } from '@/lib/model/snapshots/preparation';
import { config } from '@/lib/runtime/config';
import { readStoreNow } from './jobs';
import { getDb } from './open-store';
import { isWorkerPresent } from './workers';

/** Interval of reports of progress, ms. A preparation that is done sooner is never shown. */
const REPORT_EVERY_MS = 1_000;
/** A preparation that was not reported for this long, ms, has ended with its worker. */
const SILENT_MS = 20_000;

/**
 * Runs `act`, which prepares a snapshot, and stores its progress for pages, which answer more slowly meanwhile. `act`
 * reports the progress to the function that it is given. Only workers store it: the command line works on folders and
 * may have no database.
 */
export async function reportPreparation<T>(
  snapshotId: string,
  task: Preparation['task'],
  act: (onProgress: (progress: { done: number; total: number }) => void) => Promise<T>,
): Promise<T> {
  if (config.role !== 'worker') return act(() => {});
  let share: number | null = null;
  let lastReport: Promise<void> | null = null;
  const timer = setInterval(() => {
    // A report that could not be stored is followed by the next one.
    lastReport = putPreparation(snapshotId, { task, share }).catch(() => {});
  }, REPORT_EVERY_MS);
  timer.unref();
  try {
    return await act(({ done, total }) => {
      share = total > 0 ? done / total : null;
    });
  } finally {
    clearInterval(timer);
    await lastReport;
    if (lastReport !== null) await removePreparation(snapshotId).catch(() => {});
  }
}

export async function putPreparation(
  snapshotId: string,
  { task, share }: Pick<Preparation, 'task' | 'share'>,
): Promise<void> {
  const report = { task, share, said_at: await readStoreNow() };
  await (await getDb(undefined))
    .insertInto('preparations')
    .values({ snapshot_id: snapshotId, ...report })
    .onConflict((c) => c.column('snapshot_id').doUpdateSet(report))
    .execute();
}

export async function removePreparation(snapshotId: string): Promise<void> {
  await (await getDb(undefined)).deleteFrom('preparations').where('snapshot_id', '=', snapshotId).execute();
}

/** Returns what a worker prepares for a snapshot now, or what waits to be prepared (wishes.ts); null = nothing. */
export async function findPreparation(snapshotId: string): Promise<Preparation | null> {
  const db = await getDb(undefined);
  const now = await readStoreNow();
  const running = await db
    .selectFrom('preparations')
    .select(['task', 'share'])
    .where('snapshot_id', '=', snapshotId)
    // A report from the far future was stored before the clock was set back.
    .where(({ between }) => between('said_at', now - SILENT_MS, now + SILENT_MS))
    .executeTakeFirst();
  if (running) return { ...running, waitsFor: null };
  const waiting = await db
    .selectFrom('wishes')
    .select('kind')
    .where('snapshot_id', '=', snapshotId)
    .where('ended_at', 'is', null)
    .where('kind', 'in', ['roll-up', 'evaluate'])
    .executeTakeFirst();
  if (!waiting) return null;
  const waitsFor = (await isWorkerPresent()) ? 'turn' : 'worker';
  return { task: waiting.kind as Preparation['task'], waitsFor, share: null };
}
