import { fork } from 'node:child_process';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { AppError, isMemoryOver } from '@/lib/model/errors';
import { processWide } from '@/lib/process-wide';
import { notePreparation } from './preparations';
import { type Task, type TaskMessage, type TaskProgress, theWorker, type WorkerMessage } from './task';

/**
 * Has a task done by a process of its own (snapshot-worker.ts): the server's loop goes on answering, the memory goes
 * back to the system with the process, and where memory runs out it is this process that ends, not the server. One at
 * a time, or their memory would add up; sealing goes first, because a scan waits for it.
 *
 * Stopping kills the process: every task bears that. The process ends by itself when ours does.
 */
export interface OffloadOptions {
  /** Of the snapshot: COLONNADE_WORKER_MIN_KEYS. */
  keys: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: TaskProgress) => void) | undefined;
}

/** Node's own share in the worker: results are small, rows stay in the database. */
const NODE_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=2'];

/** Of the database. Few keyspaces (very long names) need the second: what was done with the first is kept. */
const MEMORY_LIMITS_MB = [96, 192];

interface Waiting {
  first: boolean;
  go(): void;
}
const theQueue = () => processWide('offload', () => ({ busy: false, waiting: [] as Waiting[] }));

export interface TaskDone {
  /** Of the worker, with Node. */
  peakRssBytes: number;
}

/**
 * Returns null where the caller is to do it itself: few keys, or no worker beside this program (command line,
 * development). Errors: those of the task; `worker_ended` when the process ended before it was done; the signal's
 * reason.
 */
export async function offload(task: Task, options: OffloadOptions): Promise<TaskDone | null> {
  const script = config.workerScript;
  if (script === null || options.keys < config.workerMinKeys || theWorker().isThis) return null;
  // A scan tells its own progress.
  const note = (share: number | null, waiting = false) =>
    task.kind !== 'seal' && notePreparation(task.dir, { task: task.kind, waiting, share });
  note(null, true);
  let mine = false;
  try {
    await takeTurn(task.kind === 'seal', options.signal);
    mine = true;
    note(null);
    const onProgress = (progress: TaskProgress) => {
      note(progress.total > 0 ? progress.done / progress.total : null);
      options.onProgress?.(progress);
    };
    for (const [index, memoryMB] of MEMORY_LIMITS_MB.entries()) {
      try {
        return await run(script, { task, memoryMB }, { ...options, onProgress });
      } catch (error) {
        if (index === MEMORY_LIMITS_MB.length - 1 || !isMemoryOver(error)) throw error;
      }
    }
    return null;
  } finally {
    if (task.kind !== 'seal') notePreparation(task.dir, null);
    if (mine) passTurn();
  }
}

async function takeTurn(first: boolean, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const queue = theQueue();
  if (!queue.busy) {
    queue.busy = true;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      queue.waiting = queue.waiting.filter((one) => one !== mine);
      reject(signal?.reason);
    };
    const mine = {
      first,
      go() {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    queue.waiting.push(mine);
  });
}

function passTurn(): void {
  const queue = theQueue();
  const next = queue.waiting.find((one) => one.first) ?? queue.waiting[0];
  queue.waiting = queue.waiting.filter((one) => one !== next);
  if (next) next.go();
  else queue.busy = false;
}

function run(script: string, message: TaskMessage, { signal, onProgress }: OffloadOptions): Promise<TaskDone> {
  signal?.throwIfAborted();
  const began = performance.now();
  const { task } = message;
  const worker = fork(script, [], {
    execArgv: NODE_FLAGS,
    env: config.workerEnvironment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const about = { task: task.kind, pid: worker.pid, dir: task.dir };
  return new Promise<TaskDone>((resolve, reject) => {
    let outcome: { error: unknown } | TaskDone | null = null;
    const kill = () => worker.kill('SIGKILL');
    signal?.addEventListener('abort', kill, { once: true });
    worker.on('message', (answer: WorkerMessage) => {
      if ('progress' in answer) onProgress?.(answer.progress);
      else if ('failed' in answer) outcome = { error: errorOf(answer.failed) };
      else {
        const { peakRssBytes } = answer;
        outcome = { peakRssBytes };
        const ms = Math.round(performance.now() - began);
        log().info({ ...about, ms, peakRssBytes }, 'worker.task_done');
      }
    });
    worker.on('error', (error) => {
      outcome ??= { error };
      if (worker.pid === undefined) ended(null, null);
    });
    const ended = (code: number | null, killedBy: string | null) => {
      signal?.removeEventListener('abort', kill);
      if (signal?.aborted) return reject(signal.reason);
      if (outcome !== null) return 'error' in outcome ? reject(outcome.error) : resolve(outcome);
      log().error({ ...about, code, signal: killedBy }, 'worker.ended');
      reject(
        new AppError(
          'worker_ended',
          `The process that prepares snapshots ended (${killedBy ?? `exit code ${code}`}). What it has done is kept: try again, with more free memory if the system has ended it.`,
          { how: killedBy ?? `exit ${code}` },
        ),
      );
    };
    worker.on('exit', ended);
    worker.send(message, (error) => error && kill());
  });
}

function errorOf({ code, message, details, stack }: Extract<WorkerMessage, { failed: unknown }>['failed']): Error {
  if (code !== null) return new AppError(code, message, details);
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return error;
}
