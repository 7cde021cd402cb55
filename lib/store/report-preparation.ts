import type { Preparation } from '@/lib/model/snapshots/preparation';
import { config } from '@/lib/runtime/config';
import { putPreparation, removePreparation } from './wishes';

/** What is done sooner is not shown at all. */
const SAY_EVERY_MS = 1_000;

/**
 * A worker says how far it is, for pages that answer meanwhile, slower. The command line works on folders and may have
 * no database to say it in. `act` is given how to say it.
 */
export async function reportPreparation<T>(
  snapshotId: string,
  task: Preparation['task'],
  act: (note: (progress: { done: number; total: number }) => void) => Promise<T>,
): Promise<T> {
  if (config.role !== 'worker') return act(() => {});
  let share: number | null = null;
  let said: Promise<void> | null = null;
  const timer = setInterval(() => {
    // A sign that could not be written is followed by the next one.
    said = putPreparation(snapshotId, { task, share }).catch(() => {});
  }, SAY_EVERY_MS);
  timer.unref();
  try {
    return await act(({ done, total }) => {
      share = total > 0 ? done / total : null;
    });
  } finally {
    clearInterval(timer);
    await said;
    if (said !== null) await removePreparation(snapshotId).catch(() => {});
  }
}
