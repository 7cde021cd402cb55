import type { Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from './settings';

/** Emergency stops: of everything, and of single instances by id. `since` is epoch ms. */
export interface StoredEmergencyStop {
  everywhere: { since: number; by: string } | null;
  instances: Record<string, { since: number; by: string }>;
}
export const NO_EMERGENCY_STOP: StoredEmergencyStop = { everywhere: null, instances: {} };
const NAME = 'panic';

export async function readEmergencyStop(tx?: Tx): Promise<StoredEmergencyStop> {
  const text = await getSetting(NAME, tx);
  return text === null ? NO_EMERGENCY_STOP : JSON.parse(text);
}

export async function writeEmergencyStop(emergencyStop: StoredEmergencyStop, tx: Tx): Promise<void> {
  await setSetting(NAME, JSON.stringify(emergencyStop), tx);
}

/**
 * Called when the instance is removed: afterwards nobody could clear its emergency stop, and there is nothing left to
 * stop.
 */
export async function forgetEmergencyStop(instanceId: string, tx: Tx): Promise<void> {
  const now = await readEmergencyStop(tx);
  const { [instanceId]: stopped, ...instances } = now.instances;
  if (stopped) await writeEmergencyStop({ ...now, instances }, tx);
}
