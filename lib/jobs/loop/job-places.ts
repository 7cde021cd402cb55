/**
 * The places of a process for working jobs. A job that waits for a server gives its place to another job, and takes one
 * again before it continues, ahead of jobs that have not begun.
 */
export class JobPlaces {
  private taken = 0;
  /** Called in this order when a place is free, each by a job that has waited and continues. */
  private readonly returning: (() => void)[] = [];

  constructor(
    private readonly count: number,
    /** Called when a place may be free for a job that has not begun. */
    private readonly onFree: () => void,
  ) {}

  get free(): number {
    return Math.max(0, this.count - this.taken);
  }

  take(): JobPlace {
    this.taken++;
    return new JobPlace(this);
  }

  /** Releases a place. Only `JobPlace` calls it. */
  giveBack(): void {
    const next = this.returning.shift();
    // The place is handed on without becoming free in between, or a new job would overtake those that return.
    if (next) next();
    else {
      this.taken--;
      this.onFree();
    }
  }

  /** Takes a place. Returns false if `givenUp` settled first; then no place was taken. */
  async takeAgain(givenUp: Promise<unknown>): Promise<boolean> {
    if (this.free > 0) {
      this.taken++;
      return true;
    }
    return new Promise((resolve) => {
      const take = () => resolve(true);
      this.returning.push(take);
      void givenUp.then(() => {
        const index = this.returning.indexOf(take);
        if (index < 0) return;
        this.returning.splice(index, 1);
        resolve(false);
      });
    });
  }
}

export class JobPlace {
  private isHeld = true;

  constructor(private readonly places: JobPlaces) {}

  leave(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.places.giveBack();
  }

  /**
   * Runs a wait without the place and takes a place again. A job that is asked to stop meanwhile continues without one,
   * because it only has to end.
   */
  async waitWithout(wait: () => Promise<void>, stopped: Promise<void>, lost: AbortSignal): Promise<void> {
    this.leave();
    await wait();
    const over = new AbortController();
    const isLost = new Promise<void>((resolve) =>
      lost.addEventListener('abort', () => resolve(), { once: true, signal: over.signal }),
    );
    this.isHeld = await this.places.takeAgain(Promise.race([stopped, isLost]));
    over.abort();
  }
}
