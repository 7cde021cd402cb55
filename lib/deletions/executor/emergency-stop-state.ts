/**
 * There are two ways to stop all writes: the store (pages, API), and a file named PANIC in the data folder, for when
 * the pages are down. The executor checks before every command, so both are read again only after KEEP_MS.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { NO_EMERGENCY_STOP, readEmergencyStop, type StoredEmergencyStop } from '@/lib/store/settings/emergency-stop';

/** How long what was read is reused, ms. */
const KEEP_MS = 200;

export const getEmergencyStopFile = (): string => join(config.dataDir, 'PANIC');

interface StopState {
  /** When it was last read, epoch ms. */
  at: number;
  /** Whether the file exists. */
  file: boolean;
  stored: StoredEmergencyStop;
  /** Whether the store is being read. */
  reading: boolean;
}

/** Whether writes are stopped. A new file counts within KEEP_MS; what the store says counts at the call after that. */
export function isEmergencyStopped(instanceId: string): boolean {
  const kept = refreshState();
  return kept.file || kept.stored.everywhere !== null || kept.stored.instances[instanceId] !== undefined;
}

/** Reads the file and the store before a job begins, so that they count from the first command on. */
export async function refreshEmergencyStop(): Promise<void> {
  const kept = refreshState();
  kept.file = isFileThere();
  kept.stored = await readEmergencyStop();
}

const isFileThere = () => statSync(getEmergencyStopFile(), { throwIfNoEntry: false }) !== undefined;

/** The key is the data folder. */
const states = new Map<string, StopState>();

function refreshState(): StopState {
  const now = Date.now();
  const dir = config.dataDir;
  const kept = states.get(dir) ?? { at: 0, file: false, stored: NO_EMERGENCY_STOP, reading: false };
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
