import { log } from '@/lib/runtime/log';
import { readStoreNow } from '@/lib/store/jobs';
import { deleteOldRuns } from '@/lib/store/schedules/schedule-runs';
import { endWindows } from './end-windows';
import { insertDueRuns } from './insert-due-runs';
import { type QueueScan, startWaitingRuns } from './start-waiting-runs';

const TICK_MS = 15_000;
const KEEP_RUNS_MS = 90 * 86_400_000;

/**
 * Writes what is due, continues what a window held, and starts what may begin, by the clock of the store. Several
 * processes may do this at once. `until`: epoch ms, for tests.
 */
export async function tickSchedules(queueScan: QueueScan, until?: number): Promise<void> {
  const now = until ?? (await readStoreNow());
  await insertDueRuns(now);
  // Before anything begins, so that a scan that continues is not cancelled for a new one.
  await endWindows(now);
  await startWaitingRuns(now, queueScan);
  await deleteOldRuns(now - KEEP_RUNS_MS);
}

/** Ticks now and every 15 seconds. Returns a function that stops it. */
export function keepTicking(queueScan: QueueScan): () => void {
  let isTicking = false;
  const tick = () => {
    if (isTicking) return;
    isTicking = true;
    tickSchedules(queueScan)
      .catch((error) => log().error({ err: error }, 'schedule.tick_failed'))
      .finally(() => {
        isTicking = false;
      });
  };
  tick();
  const timer = setInterval(tick, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
