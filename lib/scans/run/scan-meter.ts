import { RateWindow } from '@/lib/jobs/retry/rate-window';
import { type Cost, NO_COST, type Progress, type WaitReason } from '@/lib/model/job';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';
import type { SealProgress } from '@/lib/snapshots/seal/seal-snapshot';
import type { ScanCheckpoint } from './scan-checkpoint';

/**
 * Computes what the page of a running scan shows: keys read (counted when SCAN returns them, not when parts close), the
 * rate of the last seconds, the remaining time, the latency of each node, the reason of a wait and the cost. There is
 * one meter per run of a scan.
 */
export class ScanMeter {
  /** Keys read per partition, also those whose part is not closed yet. */
  private readonly keysRead = new Map<object, number>();
  private readonly rateWindow = new RateWindow();
  private readonly throttles = new Map<number, NodeThrottle>();
  readonly partitionStates = new Map<object, Progress['nodes'][number]['state']>();
  phase: Progress['phase'] = 'connecting';
  private sealProgress: { done: number; total: number } | null = null;
  /** The cost of earlier runs. */
  private readonly costBefore: Cost;
  /** The cost of this run, except that of the throttles that still work. */
  private endedCost: Cost = { ...NO_COST };
  private serverMs: number | null = null;
  private isServerTimeUnknown = false;

  constructor(private readonly checkpoint: ScanCheckpoint) {
    this.costBefore = { ...checkpoint.cost };
  }

  watchThrottle(node: number, throttle: NodeThrottle): void {
    this.throttles.set(node, throttle);
  }

  beginPartition(partition: { keys: number }): void {
    this.keysRead.set(partition, partition.keys);
    this.partitionStates.set(partition, 'scanning');
  }

  /** From now on the progress of the job is that of sealing; the progress of each node stays as it is. */
  noteSealing({ stage, done, total }: SealProgress): void {
    this.phase = stage;
    this.sealProgress = { done, total };
  }

  addKeys(partition: { keys: number }, keys: number): void {
    this.keysRead.set(partition, (this.keysRead.get(partition) ?? 0) + keys);
  }

  getProgress(): Progress {
    const { partitions, nodes, begunAnew } = this.checkpoint;
    const getDone = (partition: (typeof partitions)[number]) =>
      partition.done ? partition.keys : (this.keysRead.get(partition) ?? partition.keys);
    const getTotal = (partition: (typeof partitions)[number]) =>
      partition.done
        ? partition.keys
        : partition.keysAtStart === null
          ? null
          : Math.max(partition.keysAtStart, getDone(partition));
    const done = partitions.reduce((sum, partition) => sum + getDone(partition), 0);
    const totals = partitions.map(getTotal);
    // With a prefix, DBSIZE says nothing about how many keys will be read.
    const total =
      this.checkpoint.options.match !== null || totals.includes(null)
        ? null
        : totals.reduce<number>((sum, partitionTotal) => sum + (partitionTotal ?? 0), 0);
    const rate = this.rateWindow.measureRate(done);
    const isReading = this.phase === 'scanning';
    const sealing = this.phase === 'sorting' || this.phase === 'sealing' ? this.sealProgress : null;
    return {
      phase: this.phase,
      ...(sealing ?? { done, total }),
      unit: 'keys',
      ...(begunAnew && { begunAnew }),
      ratePerSecond: isReading ? rate : null,
      etaSeconds: isReading && rate && total !== null ? Math.max(0, (total - done) / rate) : null,
      nodes: partitions.map((partition) => ({
        address: nodes[partition.node]?.address ?? '',
        db: partition.db,
        done: getDone(partition),
        total: getTotal(partition),
        state: partition.done
          ? 'done'
          : this.throttles.get(partition.node)?.reason
            ? 'waiting'
            : (this.partitionStates.get(partition) ?? 'pending'),
        restarts: partition.restarts,
        latencyMs: this.throttles.get(partition.node)?.stats.lastLatencyMs ?? null,
      })),
    };
  }

  /**
   * Returns the reason why every node with remaining work waits, since the last of them does; null if any of them makes
   * progress.
   */
  getReason(): WaitReason | null {
    const openNodes = new Set(
      this.checkpoint.partitions
        .filter((partition) => this.partitionStates.get(partition) === 'scanning' && !partition.done)
        .map((partition) => partition.node),
    );
    const reasons: WaitReason[] = [];
    for (const node of openNodes) {
      const reason = this.throttles.get(node)?.reason ?? null;
      if (reason === null) return null;
      reasons.push(reason);
    }
    return reasons[0] ? { ...reasons[0], since: reasons.reduce((last, { since }) => Math.max(last, since), 0) } : null;
  }

  /** Adds the server time of one node in ms. null: unknown, and then the sum is unknown. */
  addServerTime(ms: number | null): void {
    if (ms === null) this.isServerTimeUnknown = true;
    else this.serverMs = (this.serverMs ?? 0) + ms;
  }

  /** Adds the cost of commands that no throttle counted. */
  addCost(sent: { commands: number; bytesSent: number; bytesReceived: number }): void {
    this.endedCost = addCosts(this.endedCost, { ...sent, worstLatencyMs: null, busyMs: 0, waitedMs: 0 });
  }

  /** Ends the throttles of a run; what they counted stays. */
  endRun(): void {
    for (const { stats } of this.throttles.values()) this.endedCost = addCosts(this.endedCost, stats);
    this.throttles.clear();
    this.partitionStates.clear();
  }

  private getServerMs(): number | null {
    if (this.isServerTimeUnknown) return null;
    return this.serverMs === null ? this.costBefore.serverMs : (this.costBefore.serverMs ?? 0) + this.serverMs;
  }

  /** Returns the cost since the scan began, over all processes that ran it. */
  getCost(): Cost {
    let sum = addCosts(this.costBefore, this.endedCost);
    for (const { stats } of this.throttles.values()) sum = addCosts(sum, stats);
    return { ...sum, serverMs: this.getServerMs() };
  }
}

function addCosts(
  sum: Cost,
  more: Omit<Cost, 'serverMs' | 'worstLatencyMs'> & { worstLatencyMs: number | null },
): Cost {
  const worst = Math.max(sum.worstLatencyMs ?? -1, more.worstLatencyMs ?? -1);
  return {
    commands: sum.commands + more.commands,
    bytesSent: sum.bytesSent + more.bytesSent,
    bytesReceived: sum.bytesReceived + more.bytesReceived,
    serverMs: sum.serverMs,
    worstLatencyMs: worst < 0 ? null : worst,
    busyMs: sum.busyMs + more.busyMs,
    waitedMs: sum.waitedMs + more.waitedMs,
  };
}
