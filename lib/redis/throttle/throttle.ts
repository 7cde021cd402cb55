import type { Speed, WaitReason } from '@/lib/model/job';
import type { NodeThrottle } from './node-throttle';

interface Profile {
  /** Share of the time in which the server works for Colonnade. */
  duty: number;
  /** COUNT of SCAN at the beginning, and its maximum. */
  startCount: number;
  maxCount: number;
  burst: { keys: number; writes: 1 | 2 };
}

/** A COUNT above about 500 gains nothing and costs latency, so fast stays at 500. */
export const PROFILES: Record<Speed, Profile> = {
  gentle: { duty: 0.25, startCount: 100, maxCount: 2000, burst: { keys: 100, writes: 1 } },
  balanced: { duty: 0.5, startCount: 200, maxCount: 2000, burst: { keys: 250, writes: 1 } },
  fast: { duty: 1, startCount: 500, maxCount: 500, burst: { keys: Number.POSITIVE_INFINITY, writes: 2 } },
};

/** The longest time in ms that one command may take on the server. */
const COMMAND_MS = 1;

export interface ThrottleOptions {
  now?: () => number;
  /**
   * Called before the work continues. A promise: the work has to wait for it, because others took its place during a
   * hold. null: it may continue.
   */
  regainPlace?: () => Promise<void> | null;
}

/**
 * The smallest COUNT. It is also the first COUNT of each run: a run that resumes after critical latency must not send
 * the same large page at once.
 */
const MIN_COUNT = 10;
/** COUNT grows by this much when commands are quick. */
const STEP = 10;
/** A single slow answer is noise; this many in a row show that the server is slow. */
const SAMPLES = 3;
/** Shorter sleeps are accumulated, because timers are not that exact. */
const MIN_SLEEP_MS = 1;
/** The longest sleep that can be owed, so that a pause of this process is not followed by minutes of sleep. */
const MAX_SLEEP_MS = 2000;
/** Timers are coarse: sleeping too long is deducted from the next sleep, but not more than this. */
const MAX_CREDIT_MS = 10;
/** How long a measured round trip counts, in ms. */
const TRIP_MS = 60_000;

/**
 * Creates the throttle of one node: a duty cycle (sleep = busy × (1/duty − 1)), an additive-increase,
 * multiplicative-decrease COUNT that keeps one command under a millisecond, and holds for named reasons. Busy time is
 * what a page took beyond the round trip time, because network distance is not load. Each signal can only hold; the
 * work continues when none of them holds. The speed can be changed at any time.
 */
export function createNodeThrottle(speed: Speed, { now = Date.now, regainPlace }: ThrottleOptions = {}): NodeThrottle {
  let profile = PROFILES[speed];
  let current = speed;
  let count = profile.startCount;
  /** Doubles with each page until it no longer limits COUNT. */
  let rampedCount = MIN_COUNT;
  /** The round trip time in ms: the shortest trip of the last minute; null = not measured yet. */
  let baselineMs: number | null = null;
  let trips: { at: number; ms: number }[] = [];
  /** How long the last commands took on the server, in ms. */
  let recent: number[] = [];
  /** The sleep that is owed for work done. */
  let debtMs = 0;
  let critical: WaitReason | null = null;
  const holds = new Map<WaitReason['code'], WaitReason>();
  /** Since when `pace` is held; null = it is not. */
  let heldSince: number | null = null;
  /** Functions that wake those who sleep. */
  let sleepers = new Set<() => void>();

  const stats: NodeThrottle['stats'] = {
    commands: 0,
    bytesSent: 0,
    bytesReceived: 0,
    worstLatencyMs: 0,
    busyMs: 0,
    waitedMs: 0,
    lastLatencyMs: null,
  };
  const wakeAll = () => {
    const woken = sleepers;
    sleepers = new Set();
    for (const wake of woken) wake();
  };
  const isHeld = () => critical !== null || holds.size > 0;
  const findReason = () => critical ?? holds.values().next().value ?? null;

  /**
   * Whether the round trip takes longer than a command may. It then varies by more than a command takes, so only the
   * server's own measurement shows how long a command took.
   */
  const isDistant = () => baselineMs !== null && baselineMs >= COMMAND_MS;

  const adaptCount = (rttMs: number) => {
    if (rttMs <= 0 || isDistant()) return;
    recent.push(Math.max(0, rttMs - (baselineMs ?? 0)));
    if (recent.length > SAMPLES) recent.shift();
    if (recent.length < SAMPLES) return;
    if (Math.min(...recent) > COMMAND_MS) {
      count = Math.max(MIN_COUNT, Math.floor(count / 2));
      recent = [];
    } else if (Math.max(...recent) < COMMAND_MS / 2) count = Math.min(profile.maxCount, count + STEP);
  };

  /** Resolves after `ms` (null = never by itself), or earlier when something changed or the signal aborts. */
  const sleep = (ms: number | null, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      let timer: NodeJS.Timeout | null = null;
      const done = () => {
        if (timer) clearTimeout(timer);
        sleepers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      sleepers.add(done);
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
      return findReason();
    },
    get heldBy() {
      const reason = findReason();
      return reason && heldSince !== null ? { ...reason, since: Math.max(reason.since, heldSince) } : null;
    },
    setSpeed(next) {
      if (next === current) return;
      current = next;
      profile = PROFILES[next];
      count = profile.startCount;
      debtMs = 0;
      recent = [];
      wakeAll();
    },
    count: () => Math.min(count, rampedCount),
    async pace({ busyMs, rttMs, trips: waits = 1 }, signal) {
      signal.throwIfAborted();
      const workMs = Math.max(0, busyMs - waits * (baselineMs ?? 0));
      stats.busyMs += workMs;
      adaptCount(rttMs);
      if (rampedCount < profile.maxCount) rampedCount *= 2;
      debtMs = profile.duty >= 1 ? 0 : Math.min(MAX_SLEEP_MS, debtMs + workMs * (1 / profile.duty - 1));
      for (;;) {
        const regained = isHeld() ? null : (regainPlace?.() ?? null);
        if (!isHeld() && regained === null && debtMs < MIN_SLEEP_MS) break;
        void regained?.then(wakeAll);
        if (isHeld()) heldSince ??= now();
        const before = performance.now();
        await sleep(isHeld() || regained ? null : debtMs, signal);
        const slept = performance.now() - before;
        if (!isHeld()) heldSince = null;
        stats.waitedMs += slept;
        debtMs = Math.max(-MAX_CREDIT_MS, debtMs - slept);
        signal.throwIfAborted();
      }
    },
    addReason(code, params = {}) {
      const known = holds.get(code);
      if (known) known.params = params;
      else holds.set(code, { code, params, since: now() });
    },
    clearReason(code) {
      if (holds.delete(code)) wakeAll();
    },
    setCritical(code, params = {}) {
      critical ??= { code, params, since: now() };
    },
    clearCritical() {
      critical = null;
      wakeAll();
    },
    observeRoundTrip(ms) {
      const at = now();
      trips = trips.filter((trip) => at - trip.at <= TRIP_MS);
      trips.push({ at, ms });
      // The shortest one: a longer estimate would take work of the server for distance, and Colonnade would rest less
      // than it promises.
      baselineMs = Math.min(...trips.map((trip) => trip.ms));
    },
    observeScan(ms) {
      if (!isDistant()) return;
      if (ms > COMMAND_MS) count = Math.max(MIN_COUNT, Math.floor((count * COMMAND_MS) / ms));
      else if (ms < COMMAND_MS / 2) count = Math.min(profile.maxCount, count * 2);
    },
    observeLatency(ms) {
      stats.lastLatencyMs = ms;
      stats.worstLatencyMs = Math.max(stats.worstLatencyMs, ms);
    },
  };
}
