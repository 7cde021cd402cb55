import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { log } from '@/lib/log';

/** As `nice` counts; programs that it starts have it too. */
const WORKER_PRIORITY = 5;

/**
 * Where servers run on the same machine, whoever opens a page goes first. A process that was started with less keeps
 * what it has: only root may go up again.
 */
export function yieldToPages(): void {
  endFirst();
  if (getPriority() >= WORKER_PRIORITY) return;
  try {
    setPriority(WORKER_PRIORITY);
  } catch (error) {
    log().warn({ err: error }, 'engine.priority_not_set');
  }
}

/** A system that is out of memory ends the process with the highest score: this one, whose jobs go on, not the pages. */
function endFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Only Linux has it.
  }
}
