import { rmSync, writeFileSync } from 'node:fs';
import { log } from '@/lib/runtime/log';
import { isLoopSilent, readLoopTurn } from './loop/engine-heartbeat';
import { getWorkerSignFile, makeSignFolder, WORKER_SIGN_MS } from './worker-signs';

/**
 * Writes the sign of life of this worker for `colonnade worker --healthy` on this machine. It is written while the job
 * loop runs, whatever the state of the database. If the file cannot be written, the worker continues and is not found.
 */
export function keepWorkerSign(everyMs = WORKER_SIGN_MS): { stop(): void } {
  const file = getWorkerSignFile(process.pid);
  let hasFailed = false;
  const write = () => {
    if (readLoopTurn() === null || isLoopSilent()) return;
    try {
      makeSignFolder();
      writeFileSync(file, String(Date.now()), { mode: 0o600 });
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log().warn({ err: error }, 'engine.sign_failed');
      hasFailed = true;
    }
  };
  // In a container the previous worker may have had the same process number.
  removeSign(file);
  write();
  const timer = setInterval(write, everyMs);
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
    // If the file cannot be removed, this process has not written it.
  }
}
