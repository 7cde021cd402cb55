import type { FaultProxy, Held } from '../deletions/faults/fault-proxy';
import type { Stand } from '../deletions/stand';

/**
 * Starts a deletion of hashes and holds it in the middle: more than `done` keys are deleted, and a command that deletes
 * elements of another one is held back.
 */
export async function holdMidway<T>(
  { proxy, stand }: { proxy: FaultProxy; stand: Stand },
  id: string,
  done: number,
  start: () => Promise<T>,
): Promise<{ held: Held; started: T }> {
  let struck = proxy.strike({ word: 'HDEL', act: 'hold' });
  const started = await start();
  for (;;) {
    const held = await struck;
    const ended = (await stand.items(id)).filter(({ state }) => state === 'done');
    if (ended.length > done) return { held, started };
    struck = proxy.strike({ word: 'HDEL', act: 'hold' });
    held.release();
  }
}
