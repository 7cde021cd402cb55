import { rmSync, writeFileSync } from 'node:fs';
import { log } from '@/lib/log';
import { isLoopSilent, readLoopTurn } from './loop/engine-heartbeat';
import { makeSignFolder, WORKER_SIGN_MS, workerSignFile } from './worker-signs';

/**
 * Says that this worker is there, for who asks on this machine (`colonnade worker --healthy`): as long as its loop
 * turns, whatever the database does. Without a place for the file it works on, and is not found.
 */
export function keepWorkerSign(everyMs = WORKER_SIGN_MS): { stop(): void } {
  const file = workerSignFile(process.pid);
  let failed = false;
  const sign = () => {
    if (readLoopTurn() === null || isLoopSilent()) return;
    try {
      makeSignFolder();
      writeFileSync(file, String(Date.now()), { mode: 0o600 });
      failed = false;
    } catch (error) {
      if (!failed) log().warn({ err: error }, 'engine.sign_failed');
      failed = true;
    }
  };
  // In a container the number was that of the worker before.
  removeSign(file);
  sign();
  const timer = setInterval(sign, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      removeSign(file);
    },
  };
}

function removeSign(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it may not be removed none of this process was written.
  }
}
