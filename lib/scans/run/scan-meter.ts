import { RateWindow } from '@/lib/jobs/retry/rate-window';
import { type Cost, NO_COST, type Progress, type WaitReason } from '@/lib/model/job';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';
import type { SealProgress } from '@/lib/snapshots/seal/seal-snapshot';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * Computes what the page shows: keys read (counted when pages arrive, not when parts close), the rate of the last
 * seconds, what remains, the latency of each node, the reason of a wait and the cost. There is one meter per run of a
 * scan.
 */
export class ScanMeter {
  /** Keys read per partition, also those whose part is not closed yet. */
  private readonly live = new Map<object, number>();
  private readonly window = new RateWindow();
  private readonly throttles = new Map<number, NodeThrottle>();
  readonly waiting = new Map<number, WaitReason>();
  readonly states = new Map<object, Progress['nodes'][number]['state']>();
  phase: Progress['phase'] = 'connecting';
  private sealed: { done: number; total: number } | null = null;
  /** The cost of earlier runs. */
  private readonly before: Cost;
  /** The cost of this run, except that of the throttles that still work. */
  private ended: Cost = { ...NO_COST };
  private serverMs: number | null = null;
  private serverUnknown = false;

  constructor(private readonly checkpoint: ScanCheckpoint) {
    this.before = { ...checkpoint.cost };
  }

  watch(node: number, throttle: NodeThrottle): void {
    this.throttles.set(node, throttle);
  }

  begin(partition: { keys: number }): void {
    this.live.set(partition, partition.keys);
    this.states.set(partition, 'scanning');
  }

  /** From now on the progress of the job is that of sealing; the progress of each node stays as it is. */
  noteSealing({ stage, done, total }: SealProgress): void {
    this.phase = stage;
    this.sealed = { done, total };
  }

  add(partition: { keys: number }, keys: number): void {
    this.live.set(partition, (this.live.get(partition) ?? 0) + keys);
  }

  getProgress(): Progress {
    const { partitions, nodes, begunAnew } = this.checkpoint;
    const getDone = (p: (typeof partitions)[number]) => (p.done ? p.keys : (this.live.get(p) ?? p.keys));
    const getTotal = (p: (typeof partitions)[number]) =>
      p.done ? p.keys : p.keysAtStart === null ? null : Math.max(p.keysAtStart, getDone(p));
    const done = partitions.reduce((sum, p) => sum + getDone(p), 0);
    const totals = partitions.map(getTotal);
    // With a prefix, DBSIZE says nothing about how many keys will be read.
    const total =
      this.checkpoint.options.match !== null || totals.includes(null)
        ? null
        : totals.reduce<number>((sum, t) => sum + (t ?? 0), 0);
    const rate = this.window.measureRate(done);
    const reading = this.phase === 'scanning';
    const writing = this.phase === 'sorting' || this.phase === 'sealing' ? this.sealed : null;
    return {
      phase: this.phase,
      ...(writing ?? { done, total }),
      unit: 'keys',
      ...(begunAnew && { begunAnew }),
      ratePerSecond: reading ? rate : null,
      etaSeconds: reading && rate && total !== null ? Math.max(0, (total - done) / rate) : null,
      nodes: partitions.map((p) => ({
        address: nodes[p.node]?.address ?? '',
        db: p.db,
        done: getDone(p),
        total: getTotal(p),
        state: p.done
          ? 'done'
          : this.waiting.has(p.node) || this.throttles.get(p.node)?.reason
            ? 'waiting'
            : (this.states.get(p) ?? 'pending'),
        restarts: p.restarts,
        latencyMs: this.throttles.get(p.node)?.stats.lastLatencyMs ?? null,
      })),
    };
  }

  /**
   * Returns the reason why every node with remaining work waits, since the last of them does; null if any of them makes
   * progress.
   */
  getReason(): WaitReason | null {
    const open = new Set(
      this.checkpoint.partitions.filter((p) => this.states.get(p) === 'scanning' && !p.done).map((p) => p.node),
    );
    const reasons: WaitReason[] = [];
    for (const node of open) {
      const reason = this.waiting.get(node) ?? this.throttles.get(node)?.reason ?? null;
      if (reason === null) return null;
      reasons.push(reason);
    }
    return reasons[0] ? { ...reasons[0], since: reasons.reduce((last, { since }) => Math.max(last, since), 0) } : null;
  }

  /** Adds the server time of one node in ms. null: unknown, and then the sum is unknown. */
  addServerTime(ms: number | null): void {
    if (ms === null) this.serverUnknown = true;
    else this.serverMs = (this.serverMs ?? 0) + ms;
  }

  /** Adds the cost of commands that no throttle counted. */
  spend(counted: { commands: number; bytesSent: number; bytesReceived: number }): void {
    this.ended = addCosts(this.ended, { ...counted, worstLatencyMs: null, busyMs: 0, waitedMs: 0 });
  }

  /** Ends the throttles of a run; what they counted stays. */
  endRun(): void {
    for (const { stats } of this.throttles.values()) this.ended = addCosts(this.ended, stats);
    this.throttles.clear();
    this.states.clear();
  }

  private getServerMs(): number | null {
    if (this.serverUnknown) return null;
    return this.serverMs === null ? this.before.serverMs : (this.before.serverMs ?? 0) + this.serverMs;
  }

  /** Returns the cost since the scan began, over all processes that ran it. */
  getCost(): Cost {
    let sum = addCosts(this.before, this.ended);
    for (const { stats } of this.throttles.values()) sum = addCosts(sum, stats);
    return { ...sum, serverMs: this.getServerMs() };
  }
}

function addCosts(a: Cost, b: Omit<Cost, 'serverMs' | 'worstLatencyMs'> & { worstLatencyMs: number | null }): Cost {
  const worst = Math.max(a.worstLatencyMs ?? -1, b.worstLatencyMs ?? -1);
  return {
    commands: a.commands + b.commands,
    bytesSent: a.bytesSent + b.bytesSent,
    bytesReceived: a.bytesReceived + b.bytesReceived,
    serverMs: a.serverMs,
    worstLatencyMs: worst < 0 ? null : worst,
    busyMs: a.busyMs + b.busyMs,
    waitedMs: a.waitedMs + b.waitedMs,
  };
}
