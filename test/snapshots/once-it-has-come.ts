import { setTimeout as delay } from 'node:timers/promises';

/** Asks again for as long as the snapshot is still on its way, as a page does: a busy machine takes its time. */
export async function onceItHasCome<T>(ask: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: string }).code !== 'snapshot_fetching') throw error;
      await delay(50);
    }
}
