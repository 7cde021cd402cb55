/**
 * The places of a process for working jobs. A job that waits gives its place to another job, and takes one again before
 * it continues, ahead of jobs that have not begun.
 */
export class JobPlaces {
  private taken = 0;
  /** Free places for which the loop is just looking for jobs. Jobs that return do not get them meanwhile. */
  private reserved = 0;
  /** Called in this order when a place is free, each by a job that has waited and continues. */
  private readonly returning: (() => void)[] = [];

  constructor(
    readonly count: number,
    /** Called when a place may be free for a job that has not begun. */
    private readonly onFree: () => void,
  ) {}

  get free(): number {
    return Math.max(0, this.count - this.taken);
  }

  reserve(count: number): void {
    this.reserved = count;
  }

  /** Ends the reservation: places for which no job was found go to jobs that return. */
  endReservation(): void {
    this.reserved = 0;
    while (this.free > 0) {
      const next = this.returning.shift();
      if (!next) return;
      this.taken++;
      next();
    }
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

  /** Takes a place as soon as one is free. Returns false if `waitOver` resolved before; then no place was taken. */
  async takeAgain(waitOver: Promise<unknown>): Promise<boolean> {
    if (this.free > this.reserved) {
      this.taken++;
      return true;
    }
    return new Promise((resolve) => {
      const take = () => resolve(true);
      this.returning.push(take);
      void waitOver.then(() => {
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
  private hasStoppedWaiting = false;
  private resolveWaitOver: () => void = () => {};
  private readonly waitOver = new Promise<void>((resolve) => {
    this.resolveWaitOver = resolve;
  });
  private regaining: { since: number; regained: Promise<void> } | null = null;

  constructor(private readonly places: JobPlaces) {}

  /** Since when the job waits for nothing but a place, epoch ms, and how many there are; null = it does not. */
  get wait(): { since: number; places: number } | null {
    return this.regaining && { since: this.regaining.since, places: this.places.count };
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.places.giveBack();
  }

  /**
   * Waits for a place again, once for all parts of the job that call it. null: the job has its place, or no longer waits for one.
   */
  regain(): Promise<void> | null {
    if (this.isHeld || this.hasStoppedWaiting) return null;
    this.regaining ??= { since: Date.now(), regained: this.takeAgain() };
    return this.regaining.regained;
  }

  /** Ends the wait for a place: the job continues without one, because it only has to end. */
  stopWaiting(): void {
    this.hasStoppedWaiting = true;
    this.resolveWaitOver();
  }

  private async takeAgain(): Promise<void> {
    const isTaken = await this.places.takeAgain(this.waitOver);
    this.regaining = null;
    if (!isTaken) return;
    this.isHeld = true;
    // The job may have ended just when it got the place.
    if (this.hasStoppedWaiting) this.release();
  }
}
