import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { log } from '@/lib/runtime/log';

/** On the scale of `nice`: 0 is the default, 19 the lowest priority. Child processes inherit it. */
const WORKER_PRIORITY = 5;

/**
 * Lowers the priority of this worker, so that pages on the same machine come first. A process that was started with an
 * even lower priority keeps it, because only root may raise it.
 */
export function lowerWorkerPriority(): void {
  raiseOutOfMemoryScore();
  if (getPriority() >= WORKER_PRIORITY) return;
  try {
    setPriority(WORKER_PRIORITY);
  } catch (error) {
    log().warn({ err: error }, 'engine.priority_not_set');
  }
}

/**
 * Raises the score by which a system without memory chooses the process to kill. It then kills this worker, whose jobs
 * continue later, and not the server of pages.
 */
function raiseOutOfMemoryScore(): void {
  try {
    // The scale is -1000 to 1000, and 0 is the default.
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // This file exists only on Linux.
  }
}
