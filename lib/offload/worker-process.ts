import { type ChildProcess, fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { AppError } from '@/lib/model/errors';
import { isKeptBehind, type TaskDone, type TaskMessage, type TaskProgress, type WorkerMessage } from './task';

/** Node's own share in the worker: results are small, rows stay in the database. */
const NODE_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=2'];

/**
 * A third of the weight of others where all want the processor: who reads a scan or answers a page goes first, and
 * sealing, for which a person waits, is not held up for long.
 */
export const NICE = 5;

interface Run {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: TaskProgress) => void) | undefined;
}

/** A process of snapshot-worker.ts. It does one task at a time, and ends itself behind the last one. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private hasRested = false;

  constructor(script: string) {
    this.child = fork(script, [], {
      execArgv: NODE_FLAGS,
      env: config.workerEnvironment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // While it rests nobody else listens; that it is not there is seen when it is asked.
    this.child.on('error', () => {});
    this.yieldToOthers();
  }

  get isThere(): boolean {
    return this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * null: it had ended while it rested, and the task is not begun. Errors: those of the task; `worker_ended` when the
   * process ended before it was done; the signal's reason.
   */
  run(message: TaskMessage, { signal, onProgress }: Run): Promise<TaskDone | null> {
    if (signal?.aborted) {
      this.end();
      return Promise.reject(signal.reason);
    }
    const began = performance.now();
    const { task } = message;
    const worker = this.child;
    const about = { task: task.kind, pid: worker.pid, dir: task.dir };
    this.holdUp(true);
    return new Promise<TaskDone | null>((resolve, reject) => {
      let isTaken = false;
      let outcome: { error: unknown } | TaskDone | null = null;
      const kill = () => worker.kill('SIGKILL');
      const settle = (act: () => void) => {
        signal?.removeEventListener('abort', kill);
        worker.off('message', onMessage).off('error', onError).off('exit', ended);
        act();
      };
      const onMessage = (answer: WorkerMessage) => {
        isTaken = true;
        if ('taken' in answer) return;
        if ('progress' in answer) return onProgress?.(answer.progress);
        if ('failed' in answer) {
          outcome = { error: errorOf(answer.failed) };
          return;
        }
        const done: TaskDone = { peakRssBytes: answer.peakRssBytes };
        outcome = done;
        const took = { ...about, ms: Math.round(performance.now() - began), ...done };
        if (!isKeptBehind(task)) log().info(took, 'worker.task_done');
        else settle(() => resolve(done));
      };
      const onError = (error: Error) => {
        outcome ??= { error };
        if (worker.pid === undefined) ended(null, null);
      };
      const ended = (code: number | null, killedBy: string | null) =>
        settle(() => {
          if (signal?.aborted) return reject(signal.reason);
          if (outcome !== null) return 'error' in outcome ? reject(outcome.error) : resolve(outcome);
          if (this.hasRested && !isTaken) return resolve(null);
          log().error({ ...about, code, signal: killedBy }, 'worker.ended');
          reject(
            new AppError(
              'worker_ended',
              `The process that prepares snapshots ended (${killedBy ?? `exit code ${code}`}). What it has done is kept: try again, with more free memory if the system has ended it.`,
              { how: killedBy ?? `exit ${code}` },
            ),
          );
        });
      signal?.addEventListener('abort', kill, { once: true });
      worker.on('message', onMessage).on('error', onError).on('exit', ended);
      worker.send(message, (error) => error && kill());
    });
  }

  /** Idle, it holds up nobody who wants to end. */
  rest(): void {
    this.hasRested = true;
    this.holdUp(false);
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  private holdUp(does: boolean): void {
    if (does) {
      this.child.ref();
      this.child.channel?.ref();
    } else {
      this.child.unref();
      this.child.channel?.unref();
    }
  }

  /** Pages that are asked for, the reading of a scan and a server on the same machine go first. */
  private yieldToOthers(): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      setPriority(pid, Math.max(getPriority(), NICE));
    } catch {
      // Of some systems it may not be asked; all is done the same, less politely.
    }
  }
}

function errorOf({ code, message, details, stack }: Extract<WorkerMessage, { failed: unknown }>['failed']): Error {
  if (code !== null) return new AppError(code, message, details);
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return error;
}
