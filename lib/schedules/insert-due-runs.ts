import { log } from '@/lib/runtime/log';
import { listGrantTargets } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { insertRuns, skipWaitingRuns } from '@/lib/store/schedules/schedule-runs';
import { getScheduleRow, listScheduleRows, type ScheduleRow, setNextAt } from '@/lib/store/schedules/schedules';
import { findNewestDue, findNextDue } from './due-times';
import { computeSpreadMs, isTarget } from './targets';

/** A due time that is older than this, ms, was missed: workers tick every 15 seconds. */
const MISSED_MS = 5 * 60_000;

/**
 * Writes a run for each instance of each schedule that is due, and the next due time, in one transaction per schedule.
 * A second process finds the next due time already written, and the key of the runs lets no time exist twice. `now`:
 * epoch ms by the clock of the store.
 */
export async function insertDueRuns(now: number): Promise<void> {
  for (const { id, input, nextAt } of await listScheduleRows()) {
    if (!input.on || nextAt === null) continue;
    const upcoming = findNextDue(input, now);
    // The clock was set back: the times until the stored one are due again, and those with a run are not run twice.
    const isTooFar = upcoming !== null && nextAt > upcoming;
    if (nextAt > now && !isTooFar) continue;
    await insertScheduleRuns(id, now).catch((error) =>
      log().error({ schedule: id, err: error }, 'schedule.due_failed'),
    );
  }
}

async function insertScheduleRuns(id: string, now: number): Promise<void> {
  // Read before the transaction, in which only its own reads are possible.
  const instances = await listGrantTargets();
  await runTransaction(async (tx) => {
    const row = await getScheduleRow(id, tx);
    if (row === null || !row.input.on || row.nextAt === null) return;
    await setNextAt(id, findNextDue(row.input, now), tx);
    if (row.nextAt > now) return;
    const runs = buildRuns(row, row.nextAt, now, instances);
    // Only the newest time is made up for.
    await skipWaitingRuns(id, runs.dueAt, 'newer', tx);
    await insertRuns(runs.rows, tx);
    log().info({ schedule: id, dueAt: new Date(runs.dueAt).toISOString(), runs: runs.rows.length }, 'schedule.due');
  });
}

function buildRuns(
  { id, input }: ScheduleRow,
  nextAt: number,
  now: number,
  instances: Awaited<ReturnType<typeof listGrantTargets>>,
) {
  const dueAt = Math.max(nextAt, findNewestDue(input, now) ?? nextAt);
  const isMissed = now - dueAt > MISSED_MS && input.catchUp === 'none';
  const rows = instances
    .filter((instance) => isTarget(input.targets, instance))
    .map((instance) => ({
      schedule_id: id,
      instance_id: instance.id,
      due_at: dueAt,
      start_at: dueAt + computeSpreadMs(id, instance.id, input),
      state: isMissed ? ('skipped' as const) : ('waiting' as const),
      reason: isMissed ? ('missed' as const) : null,
      job_id: null,
      missed_since: nextAt < dueAt ? nextAt : null,
      held_at: null,
    }));
  return { dueAt, rows };
}
