/**
 * Shortest time before `onOver` in ms: the answer to a renewal may take this long on a busy machine, even with a short
 * lease.
 */
const ANSWER_MS = 1000;

/**
 * Watches when a lease expires by the clock of this process. A database that has vanished answers no renewal, and
 * another process may have started by then. `onOver` is called once, unless the lease was renewed or the timer stopped
 * before.
 */
export class LeaseTimer {
  #until: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    until: number,
    private readonly onOver: () => void,
  ) {
    this.#until = until;
  }

  get isOver(): boolean {
    return Date.now() > this.#until;
  }

  /** Starts the timer, or moves its end to `until`, epoch ms. */
  start(until = this.#until): void {
    this.#until = until;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.onOver, Math.max(until - Date.now(), ANSWER_MS));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
