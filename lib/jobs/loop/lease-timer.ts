/** So long an answer to a renewal may take on a busy machine, however short the lease. */
const ANSWER_MS = 1000;

/**
 * When a lease runs out by our own clock. A database that vanished without a word answers no renewal: by then another
 * may have begun, so `onOver` is called, once, unless it was renewed or stopped before.
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

  /** From now on, or with a later end. */
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
