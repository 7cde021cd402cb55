import { log } from '@/lib/runtime/log';
import { readStoreNow } from '@/lib/store/jobs';
import { deleteOldRuns } from '@/lib/store/schedules/schedule-runs';
import { endWindows } from './end-windows';
import { insertDueRuns } from './insert-due-runs';
import { type QueueScan, startWaitingRuns } from './start-waiting-runs';

const TICK_MS = 15_000;
/** While runs wait for a place, which becomes free at any moment. */
const BUSY_TICK_MS = 2_000;
const KEEP_RUNS_MS = 90 * 86_400_000;

/**
 * Writes what is due, continues what a window held, and starts what may begin, by the clock of the store. Several
 * processes may do this at once. Returns true if runs wait for a place. `until`: epoch ms, for tests.
 */
export async function tickSchedules(queueScan: QueueScan, until?: number): Promise<boolean> {
  const now = until ?? (await readStoreNow());
  await insertDueRuns(now);
  // Before anything begins, so that a scan that continues is not cancelled for a new one.
  await endWindows(now);
  const isFull = await startWaitingRuns(now, queueScan);
  await deleteOldRuns(now - KEEP_RUNS_MS);
  return isFull;
}

/** Ticks now and every 15 seconds, or every two while runs wait for a place. Returns a function that stops it. */
export function keepTicking(queueScan: QueueScan): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const tick = async () => {
    const isFull = await tickSchedules(queueScan).catch((error) => {
      log().error({ err: error }, 'schedule.tick_failed');
      return false;
    });
    if (isStopped) return;
    timer = setTimeout(() => void tick(), isFull ? BUSY_TICK_MS : TICK_MS);
    timer.unref();
  };
  void tick();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
