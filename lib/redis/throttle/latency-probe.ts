/** Tests change these, because their servers share one busy machine. */
export const LATENCY_LIMITS = {
  /** How long a sample counts. */
  windowMs: 5000,
  /** The answers of this many ms determine the round trip time: the slowest of the fastest `fastestShare` of them. */
  baselineMs: 60_000,
  fastestShare: 0.05,
  /** The probe holds when samples are above max(floor, factor × baseline). */
  floorMs: 10,
  factor: 3,
  /** This many consecutive samples within the limit release the hold. */
  releaseAfterSamples: 4,
  /** A sample is critical when it is this many ms above the round trip time. */
  criticalMs: 250,
  /** Two critical samples within this time are a critical state. */
  criticalWithinMs: 2500,
};
/**
 * The floor at full speed: the PING waits there for Colonnade's own pipeline, and a queue of a few pages is not a
 * problem of the server.
 */
export const FAST_FLOOR_MS = 25;

/**
 * Judges the samples of the latency probe: one PING about every 250 ms on its own connection measures what any other
 * client experiences. The window of 5 s holds 20 samples, so the 99th percentile is about the second worst: a single
 * slow answer is noise, a second one is a state. Network distance is not load: the round trip time is the time that the
 * fastest answers of the last minute took, and only the time above it is judged. It belongs to the minute and not to
 * the connection, because a route changes; and not to the one fastest answer, because a single measurement may be
 * wrong. A hold pauses the work, so what lasts through a minute of it is not caused by the work. The class has no side
 * effects; times are passed in.
 */
export class LatencyProbe {
  private samples: { at: number; ms: number }[] = [];
  private trips: { at: number; ms: number }[] = [];
  /** The round trip time in ms. null = not measured yet, so nothing can be judged. */
  baselineMs: number | null = null;
  /** How many samples in a row were within the limit. */
  private samplesWithin = 0;
  private lastCriticalAt = Number.NEGATIVE_INFINITY;
  /** Whether the work should be held now. */
  holding = false;
  /** Whether the latency was critical twice; it stays so. */
  critical = false;

  /** Returns the latency in ms above which a sample counts as slow. */
  computeLimitMs(floorMs = LATENCY_LIMITS.floorMs): number {
    return this.baselineMs === null
      ? Number.POSITIVE_INFINITY
      : Math.max(floorMs, LATENCY_LIMITS.factor * this.baselineMs);
  }

  /**
   * Returns the latency in ms above which it is critical. `times` multiplies `criticalMs` for an answer that is still
   * outstanding.
   */
  computeCriticalLimitMs(times = 1): number {
    return this.baselineMs === null ? Number.POSITIVE_INFINITY : this.baselineMs + LATENCY_LIMITS.criticalMs * times;
  }

  /**
   * Adds a sample taken at `at`. `isTrip` is false if it does not measure the round trip, because the answer is still
   * outstanding or this process was blocked meanwhile; it then does not change the baseline.
   */
  sample(at: number, ms: number, floorMs = LATENCY_LIMITS.floorMs, isTrip = true): void {
    const { windowMs, releaseAfterSamples, criticalWithinMs } = LATENCY_LIMITS;
    if (isTrip) this.addTrip(at, ms);
    this.samples.push({ at, ms });
    this.samples = this.samples.filter((sample) => at - sample.at <= windowMs);
    if (ms > this.computeCriticalLimitMs()) {
      if (at - this.lastCriticalAt <= criticalWithinMs) this.critical = true;
      this.lastCriticalAt = at;
    }
    const limit = this.computeLimitMs(floorMs);
    const slow = this.samples.filter((sample) => sample.ms > limit).length;
    this.samplesWithin = ms > limit ? 0 : this.samplesWithin + 1;
    if (!this.holding && slow >= 2 && ms > limit) this.holding = true;
    else if (this.holding && this.samplesWithin >= releaseAfterSamples) {
      this.holding = false;
      this.samples = [];
    }
  }

  private addTrip(at: number, ms: number): void {
    const { baselineMs, fastestShare } = LATENCY_LIMITS;
    this.trips.push({ at, ms });
    this.trips = this.trips.filter((trip) => at - trip.at <= baselineMs);
    const sorted = this.trips.map((trip) => trip.ms).sort((a, b) => a - b);
    this.baselineMs = sorted[Math.floor(sorted.length * fastestShare)] ?? null;
  }

  /** The second worst sample of the window in ms, shown as p99. */
  get p99Ms(): number {
    const sorted = this.samples.map((sample) => sample.ms).sort((a, b) => b - a);
    return sorted[1] ?? sorted[0] ?? 0;
  }
}
