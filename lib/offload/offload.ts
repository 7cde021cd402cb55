import { config } from '@/lib/config';
import { isMemoryOver } from '@/lib/model/errors';
import { processWide } from '@/lib/process-wide';
import { endKeptWorker, keepWorker, takeKeptWorker } from './kept-worker';
import { notePreparation } from './preparations';
import { isKeptBehind, type Task, type TaskDone, type TaskMessage, type TaskProgress, theWorker } from './task';
import { WorkerProcess } from './worker-process';

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

/** Of the database. Few keyspaces (very long names) need the second: what was done with the first is kept. */
const MEMORY_LIMITS_MB = [96, 192];

type SortTask = Extract<Task, { kind: 'sort-part' }>;

interface Waiting {
  first: boolean;
  go(): void;
}
const theQueue = () => processWide('offload', () => ({ busy: false, waiting: [] as Waiting[] }));

/**
 * Returns null where the caller is to do it itself: few keys, or no worker beside this program (command line,
 * development). Errors: those of the task; `worker_ended` when the process ended before it was done; the signal's
 * reason.
 */
export async function offload(task: Exclude<Task, SortTask>, options: OffloadOptions): Promise<TaskDone | null> {
  const script = scriptFor(options);
  if (script === null) return null;
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

/**
 * The same for what may as well be left undone: 'busy' while the worker does something else. Tried once, with the
 * smaller memory.
 */
export async function offloadSort(task: SortTask, options: OffloadOptions): Promise<TaskDone | 'busy' | null> {
  const script = scriptFor(options);
  if (script === null) return null;
  if (theQueue().busy) return 'busy';
  await takeTurn(false, options.signal);
  try {
    return await run(script, { task, memoryMB: MEMORY_LIMITS_MB[0]! }, options);
  } finally {
    passTurn();
  }
}

const scriptFor = ({ keys }: OffloadOptions): string | null => {
  const script = config.workerScript;
  return script === null || keys < config.workerMinKeys || theWorker().isThis ? null : script;
};

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

async function run(script: string, message: TaskMessage, options: OffloadOptions): Promise<TaskDone> {
  options.signal?.throwIfAborted();
  const rested = keptFor(message.task, script);
  const done = rested && (await runIn(rested, script, message, options));
  if (done) return done;
  const fresh = await runIn(new WorkerProcess(script), script, message, options);
  // Only one that has rested answers null.
  return fresh!;
}

async function runIn(
  worker: WorkerProcess,
  script: string,
  message: TaskMessage,
  options: OffloadOptions,
): Promise<TaskDone | null> {
  const done = await worker.run(message, options);
  if (done !== null && isKeptBehind(message.task)) keepWorker(worker, script);
  return done;
}

/** What has sorted the parts of a scan knows them already. Other tasks take the memory that it holds. */
function keptFor({ kind }: Task, script: string): WorkerProcess | null {
  if (kind === 'sort-part' || kind === 'seal') return takeKeptWorker(script);
  endKeptWorker();
  return null;
}
