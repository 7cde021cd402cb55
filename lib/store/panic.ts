import type { Tx } from './open-store';
import { getSetting, setSetting } from './settings';

/** Emergency stops: everywhere, and of instances by their ids. */
export interface StoredPanic {
  everywhere: { since: number; by: string } | null;
  instances: Record<string, { since: number; by: string }>;
}
export const NO_PANIC: StoredPanic = { everywhere: null, instances: {} };
const NAME = 'panic';

export async function readPanic(tx?: Tx): Promise<StoredPanic> {
  const text = await getSetting(NAME, tx);
  return text === null ? NO_PANIC : JSON.parse(text);
}

export async function writePanic(panic: StoredPanic, tx: Tx): Promise<void> {
  await setSetting(NAME, JSON.stringify(panic), tx);
}

/** With the instance: nobody could lift it any more, and nothing is left to stop. */
export async function forgetPanicOf(instanceId: string, tx: Tx): Promise<void> {
  const now = await readPanic(tx);
  const { [instanceId]: stopped, ...instances } = now.instances;
  if (stopped) await writePanic({ ...now, instances }, tx);
}
