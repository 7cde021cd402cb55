import type { ErrorCode, ErrorDetails } from '@/lib/model/errors';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { processWide } from '@/lib/process-wide';

/**
 * Work on one snapshot that holds a core for seconds to minutes and much memory. Each leaves its result in the
 * snapshot's folder, may be killed anywhere and goes on (or begins anew) when it is called again, and answers at once
 * when it is done already: so whoever has had it done calls the same verb behind it and has the result.
 */
export type Task =
  | { kind: 'sort-part'; dir: string; part: string; bigkeys: BigkeyThresholds }
  | { kind: 'seal'; dir: string; parts: string[]; bigkeys: BigkeyThresholds }
  | { kind: 'roll-up'; dir: string; bigkeys: BigkeyThresholds }
  | { kind: 'evaluate'; dir: string; policy: EffectivePolicy };

/** Whether this process is the worker: what it calls on the way to its task does not start another one. */
export const theWorker = () => processWide('worker', () => ({ isThis: false }));

/** Behind it the process waits for the next part, or for sealing. */
export const isKeptBehind = (task: Task): boolean => task.kind === 'sort-part';

export type TaskKind = Task['kind'];

export interface TaskProgress {
  stage: string;
  done: number;
  total: number;
}

export interface TaskDone {
  /** Of the worker, with Node, until now. */
  peakRssBytes: number;
}

/** What the worker process is given. */
export interface TaskMessage {
  task: Task;
  /** Of its database. */
  memoryMB: number;
}

/** What the worker process answers. */
export type WorkerMessage =
  | { taken: true }
  | { progress: TaskProgress }
  | ({ done: true } & TaskDone)
  | { failed: { code: ErrorCode | null; message: string; details: ErrorDetails; stack: string | null } };
