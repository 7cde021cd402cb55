import type { RedisSession } from '@/lib/redis/connection/session';
import { parseInfo } from '@/lib/redis/info/parse-info';
import { FAST_FLOOR_MS, LatencyProbe } from './latency-probe';
import type { NodeThrottle } from './node-throttle';
import { CpuSignal, EvictionSignal, loading, replicaLag, ScanCostSignal, type Signal } from './pressure-signals';

export interface PressureOptions {
  /** Called after every look, also when nothing changed. */
  onUpdate?: () => void;
  pingEveryMs?: number;
  infoEveryMs?: number;
}

const REASONS = ['latency', 'replica_lag', 'evicting', 'loading', 'server_cpu', 'connection_lost'] as const;
type Reason = (typeof REASONS)[number];

/**
 * Watches one node while it is scanned and tells its throttle: each signal holds and releases under its own name.
 * Latency is measured by a PING on another connection than the scan's; the rest is read from INFO (without the right to
 * INFO only latency is watched). A changed process or role, or twice a quarter of a second more than the way there and
 * back takes, is critical.
 * After `stop()` nothing is held by it any more and nothing it still hears counts.
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

  const tell = (reason: Reason, signal: Signal) => {
    if (stopped) return;
    if (signal) {
      throttle.addReason(reason, signal.params);
      holding.add(reason);
    } else if (holding.delete(reason)) throttle.clearReason(reason);
  };

  const sample = (ms: number, isAnswer: boolean) => {
    if (stopped) return;
    throttle.observeLatency?.(ms);
    if (isAnswer) throttle.observePing?.(ms);
    probe.sample(performance.now(), ms, throttle.speed === 'fast' ? FAST_FLOOR_MS : undefined, isAnswer);
    if (probe.critical) throttle.setCritical?.('critical_latency', { ms: Math.round(ms) });
    tell('latency', probe.holding ? { code: 'latency', params: { p99Ms: Math.round(probe.p99Ms * 10) / 10 } } : null);
  };

  /**
   * One PING, counted as often as a client that asks every quarter of a second would count it: once if it is answered
   * within two of them, and again for each further one, while it is still out. The way there and back is left out of
   * account; before the first answer it is not known, and nothing is counted. A single stall of 300 ms (a fork, a reply
   * of 20 MiB) is therefore one slow sample; half a second of silence is two, and critical.
   */
  const ping = async () => {
    const client = await session.client(address);
    const stall = new OwnStall();
    const sentAt = performance.now();
    let counted = 0;
    const waitedMs = () => Math.max(0, performance.now() - sentAt - stall.soFarMs());
    const countOverdue = () => {
      const ms = waitedMs();
      if (ms <= probe.criticalLimitMs(counted + 1)) return false;
      counted++;
      sample(ms, false);
      return true;
    };
    const overdue = setInterval(() => {
      if (countOverdue()) onUpdate();
    }, 20);
    const answered = () => {
      const ms = waitedMs();
      if (!countOverdue() && counted === 0) sample(ms, true);
      else if (!stopped) throttle.observeLatency?.(ms);
    };
    try {
      await client.ping();
      answered();
    } catch (error) {
      // LOADING, NOPERM…: an answer came, and that is what is measured.
      if (!isReply(error)) throw error;
      answered();
    } finally {
      clearInterval(overdue);
      stall.end();
    }
  };

  const look = async () => {
    const client = await session.client(address);
    let text: string;
    try {
      text = await client.info();
    } catch (error) {
      if (!isReply(error)) throw error;
      if (/^LOADING/.test((error as Error).message)) tell('loading', { code: 'loading', params: {} });
      else infoDenied = true;
      return;
    }
    if (stopped) return;
    const info = parseInfo(text);
    const now = performance.now();
    const runId = info.get('run_id') ?? identity?.runId ?? '';
    const role = info.get('role') ?? identity?.role ?? '';
    if (identity && identity.runId !== '' && runId !== identity.runId) throttle.setCritical?.('run_id_changed', {});
    else if (identity && identity.role !== '' && role !== identity.role)
      throttle.setCritical?.('role_changed', { role });
    identity ??= { runId, role };
    tell('loading', loading(info));
    tell('replica_lag', replicaLag(info));
    tell('evicting', evictions.look(now, info));
    const busy = cpu.look(now, info);
    // At full speed the core is meant to be busy, with us.
    tell('server_cpu', throttle.speed === 'fast' ? null : busy);
    const scanMs = scanCost.look(await client.info('commandstats').catch(() => ''));
    if (scanMs !== null && !stopped) throttle.observeScan?.(scanMs);
  };

  const repeat = async (everyMs: number, act: () => Promise<void>, again: () => boolean) => {
    while (!stopped && again()) {
      const began = performance.now();
      try {
        await act();
        tell('connection_lost', null);
      } catch {
        // Lost, refused or too slow to answer at all: the scan's own connection will tell which.
        tell('connection_lost', { code: 'connection_lost', params: {} });
      }
      if (stopped) return;
      onUpdate();
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
  void repeat(infoEveryMs, look, () => !infoDenied);

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

function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/**
 * How long this process itself stood still while a PING was out (a long task, a busy machine): that time is ours, not
 * the server's. Timers that come late tell.
 */
class OwnStall {
  private readonly everyMs = 2;
  private due = performance.now() + this.everyMs;
  private lateMs = 0;
  private readonly timer = setInterval(() => this.tick(), this.everyMs);

  private tick(): void {
    const now = performance.now();
    // A millisecond is what a timer may be late in any case.
    this.lateMs += Math.max(0, now - this.due - 1);
    this.due = now + this.everyMs;
  }

  soFarMs(): number {
    this.tick();
    return this.lateMs;
  }

  end(): void {
    clearInterval(this.timer);
  }
}
