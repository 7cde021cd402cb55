import { setTimeout as delay } from 'node:timers/promises';

/** Repeats a request as long as the snapshot is still being fetched, as a page does, because a busy machine is slow. */
export async function onceItHasCome<T>(ask: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: string }).code !== 'snapshot_fetching') throw error;
      await delay(50);
    }
}
