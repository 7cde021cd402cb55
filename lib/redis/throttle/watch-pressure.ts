import { isReplyError } from '@/lib/redis/connection/connection-errors';
import type { RedisSession } from '@/lib/redis/connection/session';
import { parseInfo } from '@/lib/redis/info/parse-info';
import { FAST_FLOOR_MS, LatencyProbe } from './latency-probe';
import type { NodeThrottle } from './node-throttle';
import {
  CpuSignal,
  checkLoading,
  checkReplicaLag,
  EvictionSignal,
  ScanCostSignal,
  type Signal,
} from './pressure-signals';

export interface PressureOptions {
  /** Called after every measurement, even if nothing changed. */
  onUpdate?: () => void;
  pingEveryMs?: number;
  infoEveryMs?: number;
}

/** How often an answer that is still outstanding is checked, in ms. */
const OVERDUE_EVERY_MS = 20;

/**
 * A PING during which this process was blocked for more than this share of the answer's time says little about the
 * round trip: what is subtracted is an estimate, and the rest may be far too short.
 */
const MAX_STALL_SHARE = 0.1;

type Reason = 'latency' | 'replica_lag' | 'evicting' | 'loading' | 'server_cpu' | 'connection_lost';

/**
 * Watches one node while it is scanned and reports to its throttle; each signal holds and releases under its own name.
 * Latency is measured by a PING on a connection separate from the scan's; the rest is read from INFO (without the right
 * to INFO only latency is watched). A changed process or role is critical, and so is a latency that exceeds the round
 * trip time by a quarter of a second twice. After `stop()` it holds nothing any more, and replies that still arrive are
 * ignored.
 */
export function watchPressure(
  session: RedisSession,
  address: string,
  throttle: NodeThrottle,
  options: PressureOptions = {},
): { stop(): void } {
  const { onUpdate = () => undefined, pingEveryMs = 250, infoEveryMs = 2000 } = options;
  let stopped = false;
  const probe = new LatencyProbe();
  const evictions = new EvictionSignal();
  const cpu = new CpuSignal();
  const scanCost = new ScanCostSignal();
  let identity: { runId: string; role: string } | null = null;
  let infoDenied = false;
  const holding = new Set<Reason>();

  const setReason = (reason: Reason, signal: Signal) => {
    if (stopped) return;
    if (signal) {
      throttle.addReason(reason, signal.params);
      holding.add(reason);
    } else if (holding.delete(reason)) throttle.clearReason(reason);
  };

  const sample = (ms: number, isTrip: boolean) => {
    if (stopped) return;
    throttle.observeLatency(ms);
    probe.sample(performance.now(), ms, throttle.speed === 'fast' ? FAST_FLOOR_MS : undefined, isTrip);
    if (isTrip) throttle.observeRoundTrip(ms);
    if (probe.critical) throttle.setCritical('critical_latency', { ms: Math.round(ms) });
    setReason(
      'latency',
      probe.holding ? { code: 'latency', params: { p99Ms: Math.round(probe.p99Ms * 10) / 10 } } : null,
    );
  };

  /**
   * Sends one PING and counts it as often as a client that pings every quarter of a second would: once if it is
   * answered within two such intervals, and once more for each further interval while it is outstanding. The round trip
   * time is not counted; before the first answer it is unknown, and nothing is counted. A single stall of 300 ms (a
   * fork, a reply of 20 MiB) is therefore one slow sample; half a second of silence is two, which is critical.
   */
  const ping = async () => {
    const client = await session.client(address);
    const stall = new OwnStall();
    const sentAt = performance.now();
    let counted = 0;
    const measureWaitMs = () => Math.max(0, performance.now() - sentAt - stall.measureSoFar());
    const countOverdue = () => {
      const ms = measureWaitMs();
      if (ms <= probe.computeCriticalLimitMs(counted + 1)) return false;
      counted++;
      sample(ms, false);
      return true;
    };
    const overdue = setInterval(() => {
      if (countOverdue()) onUpdate();
    }, OVERDUE_EVERY_MS);
    const countAnswer = () => {
      const ms = measureWaitMs();
      const isTrip = stall.measureSoFar() <= ms * MAX_STALL_SHARE;
      if (!countOverdue() && counted === 0) sample(ms, isTrip);
      else if (!stopped) throttle.observeLatency(ms);
    };
    try {
      await client.ping();
      countAnswer();
    } catch (error) {
      // An error reply such as LOADING or NOPERM is an answer too, and only the time of the answer matters.
      if (!isReplyError(error)) throw error;
      countAnswer();
    } finally {
      clearInterval(overdue);
      stall.end();
    }
  };

  const readSignals = async () => {
    const client = await session.client(address);
    let text: string;
    try {
      text = await client.info();
    } catch (error) {
      if (!isReplyError(error)) throw error;
      if (/^LOADING/.test(error.message)) setReason('loading', { code: 'loading', params: {} });
      else infoDenied = true;
      return;
    }
    if (stopped) return;
    const info = parseInfo(text);
    const now = performance.now();
    const runId = info.get('run_id') ?? identity?.runId ?? '';
    const role = info.get('role') ?? identity?.role ?? '';
    if (identity && identity.runId !== '' && runId !== identity.runId) throttle.setCritical('run_id_changed');
    else if (identity && identity.role !== '' && role !== identity.role) throttle.setCritical('role_changed', { role });
    identity ??= { runId, role };
    setReason('loading', checkLoading(info));
    setReason('replica_lag', checkReplicaLag(info));
    setReason('evicting', evictions.update(now, info));
    const busy = cpu.update(now, info);
    // At full speed Colonnade is meant to keep the core busy.
    setReason('server_cpu', throttle.speed === 'fast' ? null : busy);
    const scanMs = scanCost.update(await client.info('commandstats').catch(() => ''));
    if (scanMs !== null && !stopped) throttle.observeScan(scanMs);
  };

  const repeat = async (everyMs: number, act: () => Promise<void>, isNeeded: () => boolean) => {
    while (!stopped && isNeeded()) {
      const began = performance.now();
      try {
        await act();
        setReason('connection_lost', null);
      } catch {
        // The connection is lost, refused or too slow to answer: the scan's own connection will report which.
        setReason('connection_lost', { code: 'connection_lost', params: {} });
      }
      if (stopped) return;
      onUpdate();
      // Even if `act` took longer than the interval, there is a pause, so that a slow server is not asked without end.
      await pause(Math.max(everyMs / 5, everyMs - (performance.now() - began)));
    }
  };

  const sleeping = new Set<() => void>();
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        sleeping.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      sleeping.add(done);
    });

  void repeat(pingEveryMs, ping, () => true);
  void repeat(infoEveryMs, readSignals, () => !infoDenied);

  return {
    stop() {
      if (stopped) return;
      for (const reason of holding) throttle.clearReason(reason);
      holding.clear();
      stopped = true;
      for (const done of [...sleeping]) done();
    },
  };
}

/**
 * Measures how long this process itself was blocked while a PING was outstanding (a long task, a busy machine). That
 * time is not the server's and is subtracted. It is measured by how late timers fire.
 */
class OwnStall {
  /** The interval of the timer, in ms; stalls that are shorter are not seen. */
  private readonly everyMs = 2;
  private due = performance.now() + this.everyMs;
  private lateMs = 0;
  private readonly timer = setInterval(() => this.tick(), this.everyMs);

  private tick(): void {
    const now = performance.now();
    // Any timer may be a millisecond late, so that much is not counted.
    this.lateMs += Math.max(0, now - this.due - 1);
    this.due = now + this.everyMs;
  }

  measureSoFar(): number {
    this.tick();
    return this.lateMs;
  }

  end(): void {
    clearInterval(this.timer);
  }
}
