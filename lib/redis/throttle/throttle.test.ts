import { describe, expect, it } from 'vitest';
import { createNodeThrottle, PROFILES } from './throttle';

const never = new AbortController().signal;
const elapsed = async (act: () => Promise<void>) => {
  const before = performance.now();
  await act();
  return performance.now() - before;
};

describe('throttle', () => {
  it('sleeps three times as long as it worked when gentle, as long when balanced, not at all when fast', async () => {
    for (const [speed, factor] of [
      ['gentle', 3],
      ['balanced', 1],
      ['fast', 0],
    ] as const) {
      const throttle = createNodeThrottle(speed);
      const took = await elapsed(async () => {
        for (let i = 0; i < 10; i++) await throttle.pace({ busyMs: 10, rttMs: 0 }, never);
      });
      expect(throttle.stats.busyMs).toBe(100);
      expect(throttle.stats.waitedMs).toBeGreaterThanOrEqual(factor * 100 * 0.9);
      if (factor === 0) expect(throttle.stats.waitedMs).toBe(0);
      else expect(took).toBeGreaterThanOrEqual(factor * 100 * 0.9);
    }
  });

  it('leaves the way there and back out of account, as often as it was gone', async () => {
    const throttle = createNodeThrottle('gentle');
    throttle.observeRoundTrip(100);
    await throttle.pace({ busyMs: 510, rttMs: 0, trips: 5 }, never);
    expect(throttle.stats.busyMs).toBe(10);
    await throttle.pace({ busyMs: 110, rttMs: 0 }, never);
    expect(throttle.stats.busyMs).toBe(20);
    // A round trip may be shorter than the shortest one so far.
    await throttle.pace({ busyMs: 190, rttMs: 0, trips: 2 }, never);
    expect(throttle.stats.busyMs).toBe(20);
  });

  it('collects sleeps that a timer cannot do', async () => {
    const throttle = createNodeThrottle('gentle');
    const took = await elapsed(async () => {
      for (let i = 0; i < 200; i++) await throttle.pace({ busyMs: 0.1, rttMs: 0 }, never);
    });
    // 200 × 0.1 ms of work require 60 ms of sleep.
    expect(took).toBeGreaterThan(45);
  });

  it('holds while any reason holds, and shows since when', async () => {
    const throttle = createNodeThrottle('fast', { now: () => 123 });
    throttle.addReason('latency', { p99Ms: 20 });
    throttle.addReason('loading');
    expect(throttle.reason).toEqual({ code: 'latency', params: { p99Ms: 20 }, since: 123 });
    let through = false;
    const waiting = throttle.pace({ busyMs: 1, rttMs: 0 }, never).then(() => {
      through = true;
    });
    throttle.clearReason('latency');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(through).toBe(false);
    expect(throttle.reason?.code).toBe('loading');
    throttle.clearReason('loading');
    await waiting;
    expect(throttle.reason).toBeNull();
  });

  it('goes on after a hold once it has its place again, and says since when the work stood still', async () => {
    let regain = () => {};
    let place: Promise<void> | null = null;
    let ms = 1000;
    const throttle = createNodeThrottle('fast', { now: () => ms, regainPlace: () => place });
    throttle.addReason('replica_lag');
    ms = 5000;
    // Nothing is done on this node, so nothing is held.
    expect([throttle.reason?.since, throttle.heldBy]).toEqual([1000, null]);
    let through = false;
    const pacing = throttle.pace({ busyMs: 1, rttMs: 0 }, never).then(() => {
      through = true;
    });
    expect(throttle.heldBy).toMatchObject({ code: 'replica_lag', since: 5000 });
    place = new Promise<void>((resolve) => {
      regain = resolve;
    });
    throttle.clearReason('replica_lag');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([through, throttle.heldBy]).toEqual([false, null]);
    place = null;
    regain();
    await pacing;
    const abort = new AbortController();
    place = new Promise(() => {});
    setTimeout(() => abort.abort(new Error('stop')), 20);
    await expect(throttle.pace({ busyMs: 1, rttMs: 0 }, abort.signal)).rejects.toThrow('stop');
  });

  it('what is critical is released by a person only', async () => {
    const throttle = createNodeThrottle('fast');
    throttle.setCritical('critical_latency', { ms: 300 });
    throttle.setCritical('role_changed');
    throttle.clearReason('critical_latency');
    expect(throttle.critical?.code).toBe('critical_latency');
    const waiting = throttle.pace({ busyMs: 1, rttMs: 0 }, never);
    setTimeout(() => throttle.clearCritical(), 20);
    await waiting;
    expect(throttle.critical).toBeNull();
  });

  it('an abort ends any sleep at once', async () => {
    const throttle = createNodeThrottle('gentle');
    throttle.addReason('operator');
    const abort = new AbortController();
    const reason = new Error('stop');
    setTimeout(() => abort.abort(reason), 20);
    await expect(throttle.pace({ busyMs: 1, rttMs: 0 }, abort.signal)).rejects.toBe(reason);
    await expect(throttle.pace({ busyMs: 1, rttMs: 0 }, abort.signal)).rejects.toBe(reason);
  });

  it('halves COUNT when commands stay slow, not for one slow answer, and grows it step by step', async () => {
    const throttle = createNodeThrottle('gentle');
    const pace = (rttMs: number) => throttle.pace({ busyMs: 0, rttMs }, never);
    throttle.observeRoundTrip(5);
    throttle.observeRoundTrip(0.2);
    for (const rtt of [0.4, 30, 0.4, 0.4]) await pace(rtt);
    expect(throttle.count()).toBeGreaterThanOrEqual(100);
    for (let i = 0; i < 30; i++) await pace(0.4);
    const grown = throttle.count();
    expect(grown).toBeGreaterThan(300);
    for (let i = 0; i < 3; i++) await pace(3);
    expect(throttle.count()).toBe(Math.floor(grown / 2));
    for (let i = 0; i < 60; i++) await pace(3);
    expect(throttle.count()).toBe(10);
    for (let i = 0; i < 1000; i++) await pace(0.3);
    expect(throttle.count()).toBe(PROFILES.gentle.maxCount);
    throttle.setSpeed('fast');
    expect(throttle.count()).toBe(PROFILES.fast.startCount);
  });

  it('counts as work what a page takes beyond the shortest trip of the last minute', async () => {
    let clock = 0;
    const throttle = createNodeThrottle('balanced', { now: () => clock });
    for (const ms of [15, 60]) throttle.observeRoundTrip(ms);
    await throttle.pace({ busyMs: 62, rttMs: 0 }, never);
    expect(throttle.stats.busyMs).toBe(47);
    clock = 60_001;
    throttle.observeRoundTrip(60);
    for (const busyMs of [60, 62, 59, 65]) await throttle.pace({ busyMs, rttMs: 0 }, never);
    expect(throttle.stats.busyMs).toBe(47 + 7);
  });

  it('far away, keeps COUNT by what the server says that a command takes, not by what varies on the way', async () => {
    const throttle = createNodeThrottle('balanced');
    const pace = (rttMs: number) => throttle.pace({ busyMs: 0, rttMs }, never);
    throttle.observeRoundTrip(60);
    for (let i = 0; i < 50; i++) await pace(60 + (i % 7));
    expect(throttle.count()).toBe(PROFILES.balanced.startCount);
    for (const ms of [0.2, 0.3]) throttle.observeScan(ms);
    expect(throttle.count()).toBe(4 * PROFILES.balanced.startCount);
    throttle.observeScan(0.7);
    expect(throttle.count()).toBe(4 * PROFILES.balanced.startCount);
    throttle.observeScan(4);
    expect(throttle.count()).toBe(PROFILES.balanced.startCount);
    throttle.observeScan(1000);
    expect(throttle.count()).toBe(10);
    for (let i = 0; i < 20; i++) throttle.observeScan(0.1);
    expect(throttle.count()).toBe(PROFILES.balanced.maxCount);
  });

  it('begins with COUNT 10 and doubles it up to where the speed starts', async () => {
    const throttle = createNodeThrottle('fast');
    const counts = [];
    for (let page = 0; page < 8; page++) {
      counts.push(throttle.count());
      await throttle.pace({ busyMs: 0, rttMs: 0 }, never);
    }
    expect(counts).toEqual([10, 20, 40, 80, 160, 320, 500, 500]);
  });

  it('a new speed ends a long sleep', async () => {
    const throttle = createNodeThrottle('gentle');
    setTimeout(() => throttle.setSpeed('fast'), 20);
    expect(await elapsed(() => throttle.pace({ busyMs: 600, rttMs: 0 }, never))).toBeLessThan(500);
  });
});
