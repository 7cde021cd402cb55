import type { ChildProcess } from 'node:child_process';
import { log } from '@/lib/runtime/log';

/** One of the programs that the parent starts. */
export interface Program {
  name: 'web' | 'worker';
  start(): ChildProcess;
  /** Whether it sends `ready`. A development server has another parent and cannot. */
  saysReady: boolean;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** ms. A program that ran this long did not fail because of its start, so the next wait is the shortest again. */
const STEADY_MS = 60_000;
/**
 * ms until a program that should end is killed. Jobs have five seconds to reach a safe point; a service manager waits
 * for twenty.
 */
const END_MS = 15_000;

/** A child process that is started again, after growing waits, until it is asked to end. */
export class KeptProgram {
  /** Its exit code when it has ended for good: after `end`, or because its first start failed. */
  readonly ended: Promise<number>;
  private resolveEnded: (code: number) => void = () => {};
  private child: ChildProcess | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;
  private wasReady: boolean;
  private failures = 0;

  constructor(
    private readonly program: Program,
    private readonly hear: (message: unknown) => void,
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
      this.hear(message);
    });
    child.once('exit', (code, signal) => this.noteExit(code, signal, performance.now() - began));
    child.once('error', (error) => {
      log().error({ err: error, program: this.program.name }, 'program.not_started');
      if (child.pid === undefined) this.noteExit(null, null, 0);
    });
  }

  /** Sends a message; it is lost if the program does not run. */
  tell(message: string): void {
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
    // A program that refuses to start has reported the reason, and starting it again would give the same.
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
