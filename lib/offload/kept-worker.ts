import { processWide } from '@/lib/process-wide';
import type { WorkerProcess } from './worker-process';

/** Parts of a scan follow each other in seconds; behind the last one sealing begins. */
const KEPT_MS = 15_000;

interface Kept {
  worker: WorkerProcess;
  script: string;
  timer: NodeJS.Timeout;
}

/** The worker that has sorted a part and waits for the next: to start another one costs as much as sorting. */
const theKept = () => processWide('kept-worker', () => ({ one: null as Kept | null }));

export function keepWorker(worker: WorkerProcess, script: string): void {
  endKeptWorker();
  worker.rest();
  theKept().one = { worker, script, timer: setTimeout(endKeptWorker, KEPT_MS).unref() };
}

/** null: none, or it has ended. */
export function takeKeptWorker(script: string): WorkerProcess | null {
  const kept = theKept().one;
  if (kept === null || kept.script !== script || !kept.worker.isThere) {
    endKeptWorker();
    return null;
  }
  clearTimeout(kept.timer);
  theKept().one = null;
  return kept.worker;
}

export function endKeptWorker(): void {
  const kept = theKept().one;
  if (kept === null) return;
  clearTimeout(kept.timer);
  kept.worker.end();
  theKept().one = null;
}
