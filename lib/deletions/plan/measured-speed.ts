import type { DeletionPoint } from '@/lib/model/deletions/deletion';
import type { EstimateRange } from '@/lib/model/deletions/deletion-plan';
import type { DeletionMode } from '@/lib/model/deletions/plan-request';
import { listStoredDeletions } from '@/lib/store/deletions/deletions';
import { getStoredJob } from '@/lib/store/jobs';

/** How long the last deletions of an instance took, as a multiple of the reference of their plans. */
export interface MeasuredSpeed {
  deletions: number;
  seconds: EstimateRange;
  /** null = no server has reported its time. */
  serverMs: EstimateRange | null;
}

/** How many deletions count. */
const LAST = 5;
/** A shorter deletion shows the cost of its beginning and end, not the speed of the server. */
const MIN_SECONDS = 2;
/** The next deletion will differ somewhat from the last ones. */
const MARGIN = { from: 0.7, to: 1.5 };
/** A gap between two points, normally a second, is a pause if it is this many times longer than the others. */
const PAUSE = 5;

/**
 * The key is the requested mode, because renaming a key says nothing about archiving its elements; `expire` has no
 * mode.
 */
export type MeasuredSpeeds = ReadonlyMap<DeletionMode | 'expire', MeasuredSpeed>;

/**
 * Reads the speed of the last deletions. A mode is missing if none is usable: too short, undone since, or made before
 * this was recorded.
 */
export async function readMeasuredSpeeds(instanceId: string): Promise<MeasuredSpeeds> {
  const measured = new Map<DeletionMode | 'expire', { seconds: number[]; serverMs: number[] }>();
  for (const { plan, action, jobId, points } of await listStoredDeletions({
    instanceId,
    states: ['done'],
    limit: 20,
  })) {
    const { reference } = plan.estimate;
    const took = countWorkingSeconds(points);
    if (action !== 'run' || jobId === null || !reference || took < MIN_SECONDS || reference.seconds === 0) continue;
    const way = 'mode' in plan.options ? plan.options.mode : 'expire';
    const of = measured.get(way) ?? { seconds: [], serverMs: [] };
    if (of.seconds.length === LAST) continue;
    measured.set(way, of);
    const cost = (await getStoredJob(jobId))?.job.cost ?? null;
    of.seconds.push(took / reference.seconds);
    if (cost?.serverMs && reference.serverMs > 0) of.serverMs.push(cost.serverMs / reference.serverMs);
  }
  return new Map([...measured].map(([way, of]) => [way, toMeasuredSpeed(of)]));
}

const toMeasuredSpeed = ({ seconds, serverMs }: { seconds: number[]; serverMs: number[] }): MeasuredSpeed => ({
  deletions: seconds.length,
  seconds: computeRange(seconds),
  serverMs: serverMs.length === 0 ? null : computeRange(serverMs),
});

const computeRange = (ratios: readonly number[]): EstimateRange => ({
  from: Math.min(...ratios) * MARGIN.from,
  to: Math.max(...ratios) * MARGIN.to,
});

/**
 * How many seconds a deletion was working. Points are recorded once a second while it runs; the time between two runs
 * is not counted.
 */
export function countWorkingSeconds(points: readonly DeletionPoint[]): number {
  const gaps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at));
  const median = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return gaps.filter((gap) => gap <= median * PAUSE).reduce((sum, gap) => sum + gap, 0) / 1000;
}
