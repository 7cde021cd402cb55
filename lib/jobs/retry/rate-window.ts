/** The rate is that of the last seconds, in ms: enough for a steady rate, few enough to follow a change of speed. */
const WINDOW_MS = 8_000;
/** The rate of a shorter time, in ms, would be mostly noise. */
const MIN_SPAN_MS = 200;

/** Computes the rate of the last seconds from a count that only grows. */
export class RateWindow {
  private readonly samples: { at: number; done: number }[] = [];

  /** Adds the current count and returns the rate per second; null during the first MIN_MS. */
  measureRate(count: number): number | null {
    const now = Date.now();
    this.samples.push({ at: now, done: count });
    while (this.samples.length > 2 && now - (this.samples[0]?.at ?? now) > WINDOW_MS) this.samples.shift();
    const first = this.samples[0];
    if (first === undefined || now - first.at < MIN_SPAN_MS) return null;
    return Math.max(0, ((count - first.done) * 1000) / (now - first.at));
  }
}
