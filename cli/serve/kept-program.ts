import type { ChildProcess } from 'node:child_process';
import { log } from '@/lib/runtime/log';

/** One of the programs that the parent starts. */
export interface Program {
  name: 'web' | 'worker';
  start(): ChildProcess;
  /** Whether it sends the message `ready`. The development server of Next cannot. */
  saysReady: boolean;
}

/** Waits before a program is started again: the first one, which doubles with each failure, and the longest one. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A program that ran this long did not fail because of its start, so the next wait is the shortest again. */
const STEADY_MS = 60_000;
/** A program that should end is killed after this time. Jobs need up to 5 s, and service managers wait for 20 s. */
const END_MS = 15_000;

/** A child process that is started again, after growing waits, until it is asked to end. */
export class KeptProgram {
  /** Resolves with the exit code once it has ended for good: after `end`, or because its first start failed. */
  readonly ended: Promise<number>;
  private resolveEnded: (code: number) => void = () => {};
  private child: ChildProcess | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;
  private wasReady: boolean;
  private failures = 0;

  constructor(
    private readonly program: Program,
    private readonly onMessage: (message: unknown) => void,
  ) {
    this.wasReady = !program.saysReady;
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
  }

  start(): void {
    if (this.isEnding || this.child !== null) return;
    const began = performance.now();
    const child = this.program.start();
    this.child = child;
    child.on('message', (message) => {
      if (message === 'ready') this.wasReady = true;
      this.onMessage(message);
    });
    child.once('exit', (code, signal) => this.noteExit(code, signal, performance.now() - began));
    child.once('error', (error) => {
      log().error({ err: error, program: this.program.name }, 'program.not_started');
      if (child.pid === undefined) this.noteExit(null, null, 0);
    });
  }

  /** Sends a message; it is lost if the program does not run. */
  send(message: string): void {
    if (this.child?.connected) this.child.send(message, () => {});
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Ends the program for good; after END_MS it is killed. */
  end(signal: NodeJS.Signals): void {
    const isFirst = !this.isEnding;
    this.isEnding = true;
    clearTimeout(this.timer);
    this.child?.kill(signal);
    if (this.child === null) this.resolveEnded(0);
    else if (isFirst) this.timer = setTimeout(() => this.child?.kill('SIGKILL'), END_MS);
  }

  private noteExit(code: number | null, signal: NodeJS.Signals | null, ranMs: number): void {
    const pid = this.child?.pid;
    const program = this.program.name;
    this.child = null;
    clearTimeout(this.timer);
    // A program that refuses to start has logged the reason, which would be the same at the next start.
    if (this.isEnding || (!this.wasReady && code !== null)) {
      this.resolveEnded(code ?? 1);
      return;
    }
    if (ranMs > STEADY_MS) this.failures = 0;
    const againInMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.failures++, 10));
    log().error({ program, pid, code, signal, againInMs }, 'program.ended');
    this.timer = setTimeout(() => this.start(), againInMs);
  }
}
