/** Long enough to be steady, short enough to follow a change of speed. */
const WINDOW_MS = 8_000;

/** The rate of the last seconds, of a count that only grows. */
export class RateWindow {
  private readonly samples: { at: number; done: number }[] = [];

  /** Per second; null while nothing can be known yet. */
  perSecond(done: number): number | null {
    const now = Date.now();
    this.samples.push({ at: now, done });
    while (this.samples.length > 2 && now - (this.samples[0]?.at ?? now) > WINDOW_MS) this.samples.shift();
    const first = this.samples[0];
    if (first === undefined || now - first.at < 200) return null;
    return Math.max(0, ((done - first.done) * 1000) / (now - first.at));
  }
}
