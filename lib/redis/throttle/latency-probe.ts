/**
 * Judges the latency probe: one PING about every 250 ms on a connection of its own measures what any other client gets.
 * With 20 samples in the window of 5 s the 99th percentile is about the worst but one: a single slow answer is noise,
 * a second one is a state. Distance is not load: the smallest answer seen is the way there and back, and what is above
 * it is judged. Pure; times are given.
 */
export interface LatencyLimits {
  windowMs: number;
  /** Hold above max(floor, factor × baseline). */
  floorMs: number;
  factor: number;
  /** So many samples within the limit in a row release the hold. */
  releaseAfterSamples: number;
  /** Critical is so much above the way there and back. */
  criticalMs: number;
  criticalWithinMs: number;
}
export const LATENCY_LIMITS: LatencyLimits = {
  windowMs: 5000,
  floorMs: 10,
  factor: 3,
  releaseAfterSamples: 4,
  criticalMs: 250,
  criticalWithinMs: 2500,
};
/** At full speed our own pipeline stands before the probe; a queue of a few pages is not the server being ill. */
export const FAST_FLOOR_MS = 25;

export class LatencyProbe {
  private samples: { at: number; ms: number }[] = [];
  /** The way there and back: the smallest answer so far. null: none came yet, so nothing can be judged. */
  baselineMs: number | null = null;
  private samplesWithin = 0;
  private lastCriticalAt = Number.NEGATIVE_INFINITY;
  holding = false;
  critical = false;

  constructor(private readonly limits: LatencyLimits = LATENCY_LIMITS) {}

  /** Latency above which a sample counts as slow, ms. */
  limitMs(floorMs = this.limits.floorMs): number {
    return Math.max(floorMs, this.limits.factor * (this.baselineMs ?? 0));
  }

  /** Above this it is critical, ms; `times` quarters of a second for an answer that is still out. */
  criticalLimitMs(times = 1): number {
    return this.baselineMs === null ? Number.POSITIVE_INFINITY : this.baselineMs + this.limits.criticalMs * times;
  }

  /** `isAnswer`: false for one that is still out, which tells nothing of the way there and back. */
  sample(at: number, ms: number, floorMs = this.limits.floorMs, isAnswer = true): void {
    const { windowMs, releaseAfterSamples, criticalWithinMs } = this.limits;
    if (isAnswer) this.baselineMs = Math.min(this.baselineMs ?? ms, ms);
    this.samples.push({ at, ms });
    this.samples = this.samples.filter((sample) => at - sample.at <= windowMs);
    if (ms > this.criticalLimitMs()) {
      if (at - this.lastCriticalAt <= criticalWithinMs) this.critical = true;
      this.lastCriticalAt = at;
    }
    const limit = this.limitMs(floorMs);
    const slow = this.samples.filter((sample) => sample.ms > limit).length;
    this.samplesWithin = ms > limit ? 0 : this.samplesWithin + 1;
    if (!this.holding && slow >= 2 && ms > limit) this.holding = true;
    else if (this.holding && this.samplesWithin >= releaseAfterSamples) {
      this.holding = false;
      this.samples = [];
    }
  }

  /** Worst but one of the window: what is shown as p99, ms. */
  get p99Ms(): number {
    const sorted = this.samples.map((sample) => sample.ms).sort((a, b) => b - a);
    return sorted[1] ?? sorted[0] ?? 0;
  }
}
