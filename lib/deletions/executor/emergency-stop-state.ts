/**
 * There are two ways to stop all writes: the store (pages, API), and a file named PANIC in the data folder, for when
 * the pages are down. The executor checks before every command, so both are read again only after REUSE_MS.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { NO_EMERGENCY_STOP, readEmergencyStop, type StoredEmergencyStop } from '@/lib/store/settings/emergency-stop';

/** How long the state that was read is reused, ms. */
const REUSE_MS = 200;

export const getEmergencyStopFile = (): string => join(config.dataDir, 'PANIC');

interface StopState {
  /** When the file and the store were last read, epoch ms. */
  readAt: number;
  /** Whether the file exists. */
  fileExists: boolean;
  stored: StoredEmergencyStop;
  /** Whether the store is being read. */
  isReading: boolean;
}

/** Whether writes are stopped. A new file counts within REUSE_MS; a stop in the store counts at the call after that. */
export function isEmergencyStopped(instanceId: string): boolean {
  const state = getFreshState();
  return state.fileExists || state.stored.everywhere !== null || state.stored.instances[instanceId] !== undefined;
}

/** Reads the file and the store before a job begins, so that they count from the first command on. */
export async function refreshEmergencyStop(): Promise<void> {
  const state = getFreshState();
  state.fileExists = doesFileExist();
  state.stored = await readEmergencyStop();
}

const doesFileExist = () => statSync(getEmergencyStopFile(), { throwIfNoEntry: false }) !== undefined;

/** By data folder. */
const statesByFolder = new Map<string, StopState>();

function getFreshState(): StopState {
  const now = Date.now();
  const dir = config.dataDir;
  const state = statesByFolder.get(dir) ?? {
    readAt: 0,
    fileExists: false,
    stored: NO_EMERGENCY_STOP,
    isReading: false,
  };
  statesByFolder.set(dir, state);
  if (now - state.readAt < REUSE_MS) return state;
  state.readAt = now;
  state.fileExists = doesFileExist();
  if (!state.isReading) {
    state.isReading = true;
    readEmergencyStop()
      .then((stored) => {
        state.stored = stored;
      })
      .catch((error) => log().warn({ err: error }, 'emergency_stop.read_failed'))
      .finally(() => {
        state.isReading = false;
      });
  }
  return state;
}
