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
  waiting: WaitReason | null = null;
  points: DeletionPoint[];
  private executors: NodeExecutors | null = null;
  private readonly window = new RateWindow();
  /** Elements that were read count half: a key is archived before the first of its elements is deleted. */
  private readonly halves = new RateWindow();
  /** The load added by executors that are not used any more. */
  private ended: Cost;
  private done: number;
  private readonly total: number | null;
  private readonly unit: 'keys' | 'elements';
  /** How much of the current key is archived and not deleted yet, in the unit of the progress. */
  private archived = 0;
  /** Some elements of the key that is being archived are deleted already. */
  private removesKey = false;

  constructor(before: {
    done: number;
    total: number | null;
    unit: 'keys' | 'elements';
    cost: Cost | null;
    points: DeletionPoint[];
  }) {
    this.done = before.done;
    this.total = before.total;
    this.unit = before.unit;
    this.ended = before.cost ?? { ...NO_COST };
    this.points = before.points;
  }

  /** Uses the executors of another turn of the run; the load added by earlier executors is kept. */
  watch(executors: NodeExecutors | null): void {
    this.ended = this.cost();
    this.executors = executors;
  }

  /** Adds elements that were deleted or restored since the last call, and keys that were finished with them. */
  add(elements: number, keys = 0): void {
    this.done += this.unit === 'keys' ? keys : elements;
    // When a key ends, elements of it that were read twice no longer count.
    this.archived = keys > 0 ? 0 : Math.max(0, this.archived - (this.unit === 'keys' ? 0 : elements));
    this.removesKey = keys === 0 && (elements > 0 || this.removesKey);
  }

  /**
   * Adds elements (of a string: bytes) that were read of a key that is being archived. `of`: how many it has; null =
   * unknown.
   */
  addRead(type: string, elements: number, of: number | null): void {
    if (type !== 'string' && this.unit === 'elements') this.archived += elements;
    else if (of) this.archived = Math.min(1, this.archived + elements / of);
  }

  /** Records, once a second, the progress so far and the probe latency. */
  recordPoint(): void {
    const executor = this.executors?.all()[0];
    const point = {
      at: Date.now(),
      removed: this.done,
      latencyMs: executor?.throttle.stats.lastLatencyMs ?? null,
      chunk: executor?.count() ?? null,
    };
    this.points.push(point);
    // The points are thinned out evenly, so that the chart still covers all of a long job.
    if (this.points.length > MAX_POINTS) this.points = this.points.filter((_, index) => index % 2 === 0);
  }

  findReason(): WaitReason | null {
    if (this.waiting) return this.waiting;
    // A node that is not worked on now may have a reason as well, and holds nothing.
    for (const { throttle } of this.executors?.all() ?? []) if (throttle.heldBy) return throttle.heldBy;
    return null;
  }

  buildProgress(): Progress {
    const rate = this.window.measureRate(this.done);
    const total = this.total === null ? null : Math.max(this.total, this.done);
    const archiving = this.phase === 'removing' && this.archived > 0 && !this.removesKey;
    const halfDone = this.done + this.archived / 2;
    const pace = this.halves.measureRate(halfDone);
    return {
      phase: archiving ? 'archiving' : this.phase,
      done: this.done,
      total,
      archived: this.archived,
      unit: this.unit,
      ratePerSecond: rate,
      etaSeconds: pace && total !== null ? Math.max(0, (total - halfDone) / pace) : null,
      nodes: (this.executors?.all() ?? []).map((executor) => ({
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
   * The load added since the deletion began, by all its processes. The server time of a part is known when the part has
   * ended: until then, and after a part that was interrupted, it is unknown.
   */
  cost(): Cost {
    let sum = this.ended;
    for (const executor of this.executors?.all() ?? []) {
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
