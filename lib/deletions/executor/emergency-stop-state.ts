import { statSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { processWide } from '@/lib/process-wide';
import { NO_EMERGENCY_STOP, readEmergencyStop, type StoredEmergencyStop } from '@/lib/store/settings/emergency-stop';

/**
 * Whether everything that writes to Redis must stand still. Two ways to say so: the store (pages, API) and a file named
 * PANIC in the data folder, for when the pages are down. The executor asks before every command, so the answer is kept
 * for a moment; the file is looked at each time that moment has passed.
 */
const KEEP_MS = 200;

export const emergencyStopFile = (): string => join(config.dataDir, 'PANIC');

interface StopState {
  at: number;
  file: boolean;
  stored: StoredEmergencyStop;
  reading: boolean;
}

const newState = (): StopState => ({ at: 0, file: false, stored: NO_EMERGENCY_STOP, reading: false });

/** Sees the file at once (within a fifth of a second) and the store one look later. */
export function isEmergencyStopped(instanceId: string): boolean {
  const kept = look();
  return kept.file || kept.stored.everywhere !== null || kept.stored.instances[instanceId] !== undefined;
}

/** Before a job begins: what the file and the store say counts from the first command on. */
export async function refreshEmergencyStop(): Promise<void> {
  const kept = look();
  kept.file = isFileThere();
  kept.stored = await readEmergencyStop();
}

const isFileThere = () => statSync(emergencyStopFile(), { throwIfNoEntry: false }) !== undefined;

function look(): StopState {
  const now = Date.now();
  const dir = config.dataDir;
  const states = processWide('emergency-stop', () => new Map<string, StopState>());
  const kept = states.get(dir) ?? newState();
  states.set(dir, kept);
  if (now - kept.at < KEEP_MS) return kept;
  kept.at = now;
  kept.file = isFileThere();
  if (!kept.reading) {
    kept.reading = true;
    readEmergencyStop()
      .then((stored) => {
        kept.stored = stored;
      })
      .catch((error) => log().warn({ err: error }, 'emergency_stop.read_failed'))
      .finally(() => {
        kept.reading = false;
      });
  }
  return kept;
}
