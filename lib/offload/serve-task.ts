import { writeFileSync } from 'node:fs';
import { AppError } from '@/lib/model/errors';
import {
  isKeptBehind,
  type Task,
  type TaskKind,
  type TaskMessage,
  type TaskProgress,
  theWorker,
  type WorkerMessage,
} from './task';

/** How each kind of task is done; progress is reported as often as there is some. */
export type TaskTable = {
  [K in TaskKind]: (task: Extract<Task, { kind: K }>, report: (progress: TaskProgress) => void) => Promise<void>;
};

/**
 * The worker's side of offload.ts: takes a task from the process that started this one, does it, and ends behind the
 * last one.
 */
export function serveTask(table: TaskTable, limitMemory: (megabytes: number) => void): void {
  theWorker().isThis = true;
  // Nobody waits for the result any more; what is done is kept, and nothing may go on beside a new server.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  endFirst();
  process.on('message', async ({ task, memoryMB }: TaskMessage) => {
    process.send?.({ taken: true } satisfies WorkerMessage);
    try {
      limitMemory(memoryMB);
      const run = table[task.kind] as (task: Task, report: (progress: TaskProgress) => void) => Promise<void>;
      await run(task, (progress) => process.send?.({ progress } satisfies WorkerMessage));
      await say({ done: true, peakRssBytes: process.resourceUsage().maxRSS * 1024 });
      if (isKeptBehind(task)) return;
    } catch (error) {
      await say({ failed: plain(error) });
    }
    process.exit(0);
  });
}

const say = (message: WorkerMessage) => new Promise<void>((resolve) => process.send?.(message, () => resolve()));

const plain = (error: unknown) => {
  const known = error instanceof AppError;
  const { message, stack = null } = error instanceof Error ? error : new Error(String(error));
  return { code: known ? error.code : null, message, details: known ? error.details : {}, stack };
};

/** A system that is out of memory ends the process with the highest score: this one, not the server. */
function endFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Only Linux has it.
  }
}
