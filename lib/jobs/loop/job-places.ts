/**
 * The places of a process for working jobs. A job that waits gives its place to another job, and takes one again before
 * it continues, ahead of jobs that have not begun.
 */
export class JobPlaces {
  private takenPlaces = 0;
  /** Free places that the loop is claiming queued jobs for. Jobs that return do not get them meanwhile. */
  private reservedPlaces = 0;
  /** One function for each job that has waited and continues; they are called in this order as places become free. */
  private readonly returningJobs: (() => void)[] = [];

  constructor(
    readonly count: number,
    /** Called when a place may be free for a job that has not begun. */
    private readonly onFree: () => void,
  ) {}

  get freePlaces(): number {
    return Math.max(0, this.count - this.takenPlaces);
  }

  reserve(count: number): void {
    this.reservedPlaces = count;
  }

  /** Ends the reservation: places for which no job was found go to jobs that return. */
  endReservation(): void {
    this.reservedPlaces = 0;
    while (this.freePlaces > 0) {
      const next = this.returningJobs.shift();
      if (!next) return;
      this.takenPlaces++;
      next();
    }
  }

  take(): JobPlace {
    this.takenPlaces++;
    return new JobPlace(this);
  }

  /** Gives a released place to the next job that returns, or makes it free. Only `JobPlace` calls it. */
  handOn(): void {
    const next = this.returningJobs.shift();
    // The place is handed on without becoming free in between, or a new job would overtake those that return.
    if (next) next();
    else {
      this.takenPlaces--;
      this.onFree();
    }
  }

  /** Takes a place as soon as one is free. Returns false if `waitEnd` resolved before; then no place was taken. */
  async takeAgain(waitEnd: Promise<unknown>): Promise<boolean> {
    if (this.freePlaces > this.reservedPlaces) {
      this.takenPlaces++;
      return true;
    }
    return new Promise((resolve) => {
      const takePlace = () => resolve(true);
      this.returningJobs.push(takePlace);
      void waitEnd.then(() => {
        const index = this.returningJobs.indexOf(takePlace);
        if (index < 0) return;
        this.returningJobs.splice(index, 1);
        resolve(false);
      });
    });
  }
}

export class JobPlace {
  private isHeld = true;
  private hasStoppedWaiting = false;
  private resolveWaitEnd: () => void = () => {};
  private readonly waitEnd = new Promise<void>((resolve) => {
    this.resolveWaitEnd = resolve;
  });
  private currentWait: { since: number; regained: Promise<void> } | null = null;

  constructor(private readonly places: JobPlaces) {}

  /** Since when the job waits for nothing but a place, epoch ms, and how many there are; null = it does not. */
  get wait(): { since: number; places: number } | null {
    return this.currentWait && { since: this.currentWait.since, places: this.places.count };
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.places.handOn();
  }

  /**
   * Waits for a place again, once for all parts of the job that call it. null: the job has its place, or no longer
   * waits for one.
   */
  regain(): Promise<void> | null {
    if (this.isHeld || this.hasStoppedWaiting) return null;
    this.currentWait ??= { since: Date.now(), regained: this.takeAgain() };
    return this.currentWait.regained;
  }

  /** Ends the wait for a place: the job continues without one, because it only has to end. */
  stopWaiting(): void {
    this.hasStoppedWaiting = true;
    this.resolveWaitEnd();
  }

  private async takeAgain(): Promise<void> {
    const isTaken = await this.places.takeAgain(this.waitEnd);
    this.currentWait = null;
    if (!isTaken) return;
    this.isHeld = true;
    // The job may have ended just when it got the place.
    if (this.hasStoppedWaiting) this.release();
  }
}
