/**
 * The places of a process for jobs that work. One that waits for a server gives its place to another job and takes one
 * again before it goes on, ahead of jobs that have not begun.
 */
export class Places {
  private taken = 0;
  private readonly returning: (() => void)[] = [];

  constructor(
    private readonly count: number,
    /** Called when a place may be free for a job that has not begun. */
    private readonly onFree: () => void,
  ) {}

  get free(): number {
    return Math.max(0, this.count - this.taken);
  }

  take(): Place {
    this.taken++;
    return new Place(this);
  }

  /** For `Place` alone. */
  giveBack(): void {
    const next = this.returning.shift();
    // Handed on without being free in between, or a job that has not begun would pass those that return.
    if (next) next();
    else {
      this.taken--;
      this.onFree();
    }
  }

  /** Resolves with a place taken; false when `given up` came first, and without one. */
  async takeAgain(givenUp: Promise<unknown>): Promise<boolean> {
    if (this.free > 0) {
      this.taken++;
      return true;
    }
    return new Promise((resolve) => {
      const take = () => resolve(true);
      this.returning.push(take);
      void givenUp.then(() => {
        const at = this.returning.indexOf(take);
        if (at < 0) return;
        this.returning.splice(at, 1);
        resolve(false);
      });
    });
  }
}

export class Place {
  private isHeld = true;

  constructor(private readonly places: Places) {}

  leave(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.places.giveBack();
  }

  /** A job that is asked to stop meanwhile ends without a place: it has nothing more to do than that. */
  async takeAgain(stopped: Promise<unknown>): Promise<void> {
    if (!this.isHeld) this.isHeld = await this.places.takeAgain(stopped);
  }
}
