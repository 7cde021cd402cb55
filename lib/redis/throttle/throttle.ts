import type { Speed, WaitReason } from '@/lib/model/job';
import type { NodeThrottle } from './node-throttle';

interface Profile {
  /** Share of the time in which the server works for us. */
  duty: number;
  startCount: number;
  maxCount: number;
  burst: { keys: number; writes: 1 | 2 };
}

/** COUNT above about 500 gains nothing and costs latency; fast stays there. */
export const PROFILES: Record<Speed, Profile> = {
  gentle: { duty: 0.25, startCount: 100, maxCount: 2000, burst: { keys: 100, writes: 1 } },
  balanced: { duty: 0.5, startCount: 200, maxCount: 2000, burst: { keys: 250, writes: 1 } },
  fast: { duty: 1, startCount: 500, maxCount: 500, burst: { keys: Number.POSITIVE_INFINITY, writes: 2 } },
};

export interface ThrottleOptions {
  /** One command may take the server this long, ms. */
  commandMs?: number;
  now?: () => number;
}

/** Also the first COUNT of each run: whoever resumes after critical latency must not meet the same page at once. */
const MIN_COUNT = 10;
const STEP = 10;
/** A single slow answer is noise; this many in a row are the server. */
const SAMPLES = 3;
/** Sleeps below this are collected: timers cannot be that exact. */
const MIN_SLEEP_MS = 1;
/** After a pause of the process the debt is not slept off for minutes. */
const MAX_SLEEP_MS = 2000;

/** The throttle of one node; more than the interface shows, for whoever watches the server. */
export interface SignalledThrottle extends NodeThrottle {
  readonly speed: Speed;
  /** Holds until a person resumes. Nothing releases it but `clearCritical`. */
  setCritical(code: 'critical_latency' | 'run_id_changed' | 'role_changed', params?: WaitReason['params']): void;
  clearCritical(): void;
  observePing(ms: number): void;
  observeScan(ms: number): void;
  observeLatency(ms: number): void;
}

/**
 * The throttle of one node: a duty cycle (sleep = busy × (1/duty − 1)), an additive-increase, multiplicative-decrease
 * COUNT that keeps one command under a millisecond, and holds by named reasons. Busy is what a page took beyond the way
 * there and back: distance is not load. Each signal can only hold; the work goes on when none of them does. Speeds
 * change while it runs.
 */
export function createNodeThrottle(speed: Speed, options: ThrottleOptions = {}): SignalledThrottle {
  const now = options.now ?? Date.now;
  const commandMs = options.commandMs ?? 1;
  let profile = PROFILES[speed];
  let current = speed;
  let count = profile.startCount;
  /** Doubles with each page until it no longer limits COUNT. */
  let rampedCount = MIN_COUNT;
  /** The way there and back, as far as it is known. */
  let baselineMs: number | null = null;
  let recent: number[] = [];
  let debtMs = 0;
  let critical: WaitReason | null = null;
  const holds = new Map<WaitReason['code'], WaitReason>();
  let wake = new Set<() => void>();

  const stats: NodeThrottle['stats'] = {
    commands: 0,
    bytesSent: 0,
    bytesReceived: 0,
    worstLatencyMs: 0,
    busyMs: 0,
    waitedMs: 0,
    lastLatencyMs: null,
  };
  const changed = () => {
    const waiting = wake;
    wake = new Set();
    for (const resolve of waiting) resolve();
  };
  const held = () => critical !== null || holds.size > 0;

  /** The way varies by more than a command takes: only the server's own account tells how long that is. */
  const isFar = () => baselineMs !== null && baselineMs >= commandMs;

  const adapt = (rttMs: number) => {
    if (rttMs <= 0 || isFar()) return;
    recent.push(Math.max(0, rttMs - (baselineMs ?? 0)));
    if (recent.length > SAMPLES) recent.shift();
    if (recent.length < SAMPLES) return;
    if (Math.min(...recent) > commandMs) {
      count = Math.max(MIN_COUNT, Math.floor(count / 2));
      recent = [];
    } else if (Math.max(...recent) < commandMs / 2) count = Math.min(profile.maxCount, count + STEP);
  };

  /** Resolves after `ms`, or earlier when something changed or the signal aborts. */
  const rest = (ms: number | null, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      let timer: NodeJS.Timeout | null = null;
      const done = () => {
        if (timer) clearTimeout(timer);
        wake.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      wake.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (ms !== null) timer = setTimeout(done, ms);
    });

  return {
    stats,
    get speed() {
      return current;
    },
    get burst() {
      return profile.burst;
    },
    get critical() {
      return critical;
    },
    get reason() {
      if (critical) return critical;
      for (const reason of holds.values()) return reason;
      return null;
    },
    setSpeed(next) {
      if (next === current) return;
      current = next;
      profile = PROFILES[next];
      count = profile.startCount;
      debtMs = 0;
      recent = [];
      changed();
    },
    count: () => Math.min(count, rampedCount),
    async pace({ busyMs, rttMs, trips = 1 }, signal) {
      signal.throwIfAborted();
      const workMs = Math.max(0, busyMs - trips * (baselineMs ?? 0));
      stats.busyMs += workMs;
      adapt(rttMs);
      if (rampedCount < profile.maxCount) rampedCount *= 2;
      debtMs = profile.duty >= 1 ? 0 : Math.min(MAX_SLEEP_MS, debtMs + workMs * (1 / profile.duty - 1));
      while (held() || debtMs >= MIN_SLEEP_MS) {
        const before = performance.now();
        await rest(held() ? null : debtMs, signal);
        const slept = performance.now() - before;
        stats.waitedMs += slept;
        // Sleeping longer than asked (timers are coarse) counts for the next time, but never as credit.
        debtMs = Math.max(-MAX_SLEEP_MS / 200, debtMs - slept);
        signal.throwIfAborted();
      }
    },
    addReason(code, params = {}) {
      const known = holds.get(code);
      if (known) known.params = params;
      else holds.set(code, { code, params, since: now() });
    },
    clearReason(code) {
      if (holds.delete(code)) changed();
    },
    setCritical(code, params = {}) {
      critical ??= { code, params, since: now() };
    },
    clearCritical() {
      critical = null;
      changed();
    },
    observePing(ms) {
      baselineMs = Math.min(baselineMs ?? ms, ms);
    },
    observeScan(ms) {
      if (!isFar()) return;
      if (ms > commandMs) count = Math.max(MIN_COUNT, Math.floor((count * commandMs) / ms));
      else if (ms < commandMs / 2) count = Math.min(profile.maxCount, count * 2);
    },
    observeLatency(ms) {
      stats.lastLatencyMs = ms;
      stats.worstLatencyMs = Math.max(stats.worstLatencyMs, ms);
    },
  };
}
