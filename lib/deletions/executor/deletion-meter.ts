import { RateWindow } from '@/lib/jobs/retry/rate-window';
import type { DeletionPoint } from '@/lib/model/deletions/deletion';
import { type Cost, NO_COST, type Progress, type WaitReason } from '@/lib/model/job';
import type { NodeExecutors } from './node-executors';

/** At most this many points are kept of a deletion, whatever its duration. */
const MAX_POINTS = 240;

/**
 * Adds up what the page shows: progress, the rate of the last seconds, the probe latency of each node, and the load
 * added.
 */
export class DeletionMeter {
  phase: Progress['phase'] = 'connecting';
  waitReason: WaitReason | null = null;
  points: DeletionPoint[];
  private executors: NodeExecutors | null = null;
  private readonly rateWindow = new RateWindow();
  /**
   * Computes the rate for the remaining time. Elements that are only archived count half, because a key is archived
   * before the first of its elements is deleted.
   */
  private readonly halfDoneWindow = new RateWindow();
  /** The load added by executors that are not used any more. */
  private endedCost: Cost;
  private done: number;
  private readonly total: number | null;
  private readonly unit: 'keys' | 'elements';
  /** How much of the current key is archived and not deleted yet, in the unit of the progress. */
  private archivedOfCurrentKey = 0;
  /** Whether some elements of the current key are deleted already. */
  private isDeletingCurrentKey = false;

  constructor(start: {
    done: number;
    total: number | null;
    unit: 'keys' | 'elements';
    cost: Cost | null;
    points: DeletionPoint[];
  }) {
    this.done = start.done;
    this.total = start.total;
    this.unit = start.unit;
    this.endedCost = start.cost ?? { ...NO_COST };
    this.points = start.points;
  }

  /** Measures these executors from now on; the load added by earlier executors is kept. */
  watchExecutors(executors: NodeExecutors | null): void {
    this.endedCost = this.computeCost();
    this.executors = executors;
  }

  /** Adds elements that were deleted or restored since the last call, and keys that were finished with them. */
  addDone(elements: number, keys = 0): void {
    this.done += this.unit === 'keys' ? keys : elements;
    // When a key ends, elements of it that were read twice no longer count.
    this.archivedOfCurrentKey =
      keys > 0 ? 0 : Math.max(0, this.archivedOfCurrentKey - (this.unit === 'keys' ? 0 : elements));
    this.isDeletingCurrentKey = keys === 0 && (elements > 0 || this.isDeletingCurrentKey);
  }

  /**
   * Adds elements (of a string: bytes) that were read of a key that is being archived. `total`: how many it has; null =
   * unknown.
   */
  addReadElements(type: string, elements: number, total: number | null): void {
    if (type !== 'string' && this.unit === 'elements') this.archivedOfCurrentKey += elements;
    else if (total) this.archivedOfCurrentKey = Math.min(1, this.archivedOfCurrentKey + elements / total);
  }

  /** Records, once a second, the progress so far and the probe latency. */
  recordPoint(): void {
    const executor = this.executors?.listOpened()[0];
    const point = {
      at: Date.now(),
      removed: this.done,
      latencyMs: executor?.throttle.stats.lastLatencyMs ?? null,
      chunk: executor?.getChunkSize() ?? null,
    };
    this.points.push(point);
    // The points are thinned out evenly, so that the chart still covers all of a long job.
    if (this.points.length > MAX_POINTS) this.points = this.points.filter((_, index) => index % 2 === 0);
  }

  /** Returns why the deletion waits; null = it works. */
  findReason(): WaitReason | null {
    if (this.waitReason) return this.waitReason;
    // Another node, on which nothing is done now, may have a reason too; it makes nothing wait.
    for (const { throttle } of this.executors?.listOpened() ?? []) if (throttle.heldBy) return throttle.heldBy;
    return null;
  }

  buildProgress(): Progress {
    const rate = this.rateWindow.measureRate(this.done);
    const total = this.total === null ? null : Math.max(this.total, this.done);
    const isArchiving = this.phase === 'removing' && this.archivedOfCurrentKey > 0 && !this.isDeletingCurrentKey;
    const halfDone = this.done + this.archivedOfCurrentKey / 2;
    const halfDoneRate = this.halfDoneWindow.measureRate(halfDone);
    return {
      phase: isArchiving ? 'archiving' : this.phase,
      done: this.done,
      total,
      archived: this.archivedOfCurrentKey,
      unit: this.unit,
      ratePerSecond: rate,
      etaSeconds: halfDoneRate && total !== null ? Math.max(0, (total - halfDone) / halfDoneRate) : null,
      nodes: (this.executors?.listOpened() ?? []).map((executor) => ({
        address: executor.address,
        db: null,
        done: 0,
        total: null,
        state: executor.throttle.reason ? 'waiting' : 'removing',
        restarts: 0,
        latencyMs: executor.throttle.stats.lastLatencyMs,
      })),
    };
  }

  /**
   * Returns the load added since the deletion began, by all its processes. The server time of a part is known when the
   * part has ended: until then, and after a part that was interrupted, it is unknown.
   */
  computeCost(): Cost {
    let sum = this.endedCost;
    for (const executor of this.executors?.listOpened() ?? []) {
      const before = sum.serverMs ?? (sum.commands === 0 ? 0 : null);
      sum = { ...sum, serverMs: before === null || executor.serverMs === null ? null : before + executor.serverMs };
      const { busyMs, waitedMs, worstLatencyMs, lastLatencyMs } = executor.throttle.stats;
      sum = {
        ...sum,
        busyMs: sum.busyMs + busyMs,
        waitedMs: sum.waitedMs + waitedMs,
        // If an executor ended before its latency was measured once, the latency is unknown, not 0.
        worstLatencyMs: lastLatencyMs === null ? sum.worstLatencyMs : Math.max(sum.worstLatencyMs ?? 0, worstLatencyMs),
      };
      for (const { commands, bytesSent, bytesReceived } of executor.listSentStats())
        sum = {
          ...sum,
          commands: sum.commands + commands,
          bytesSent: sum.bytesSent + bytesSent,
          bytesReceived: sum.bytesReceived + bytesReceived,
        };
    }
    return sum;
  }
}
