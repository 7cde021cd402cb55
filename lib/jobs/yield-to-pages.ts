import { getPriority, setPriority } from 'node:os';
import { log } from '@/lib/log';

/** As `nice` counts; programs that it starts have it too. */
const WORKER_PRIORITY = 5;

/**
 * Where servers run on the same machine, whoever opens a page goes first. A process that was started with less keeps
 * what it has: only root may go up again.
 */
export function yieldToPages(): void {
  if (getPriority() >= WORKER_PRIORITY) return;
  try {
    setPriority(WORKER_PRIORITY);
  } catch (error) {
    log().warn({ err: error }, 'engine.priority_not_set');
  }
}
