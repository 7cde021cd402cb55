import type { Job } from '@/lib/model/job';

/** The load that a job has added until `at` (epoch ms), and the highest probe latency of its nodes then. */
export interface LoadPoint {
  at: number;
  commands: number;
  /** Time of the server's thread; null: unknown. */
  serverMs: number | null;
  /** null: no node has a latency probe. */
  latencyMs: number | null;
}

/**
 * Ten minutes with one point per second. When there are more, every other point is dropped, so that the whole of a long
 * job stays visible.
 */
const MAX_POINTS = 600;

/** Appends the current figures of a job to its earlier points. A job that was started again starts a new list. */
export function addLoadPoint(points: readonly LoadPoint[], job: Job): readonly LoadPoint[] {
  if (!job.cost || job.progress === null) return points;
  const known = job.progress.nodes.map((node) => node.latencyMs).filter((ms) => ms !== null);
  const point: LoadPoint = {
    at: job.updatedAt,
    commands: job.cost.commands,
    serverMs: job.cost.serverMs,
    latencyMs: known.length > 0 ? Math.max(...known) : null,
  };
  const last = points.at(-1);
  if (last && point.at <= last.at) return points;
  if (last && point.commands < last.commands) return [point];
  const kept = points.length < MAX_POINTS ? points : points.filter((_, index) => index % 2 === 0);
  return [...kept, point];
}

/**
 * The rates between each two points, as a chart shows them: `left` is commands per second, `right` the probe latency in
 * ms. `serverShare`: the share of the time of one server thread, 0…1; it is an upper bound, like the job's own figure.
 */
export function computeLoadRates(points: readonly LoadPoint[]) {
  return points.slice(1).map((point, index) => {
    const before = points[index] as LoadPoint;
    const seconds = (point.at - before.at) / 1000;
    const serverMs = point.serverMs === null || before.serverMs === null ? null : point.serverMs - before.serverMs;
    return {
      at: point.at,
      left: (point.commands - before.commands) / seconds,
      right: point.latencyMs,
      serverShare: serverMs === null || serverMs < 0 ? null : Math.min(1, serverMs / 1000 / seconds),
    };
  });
}
