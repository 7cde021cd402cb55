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

/** At most this many of the last deletions count. */
const MAX_DELETIONS = 5;
/** A shorter deletion shows the cost of its beginning and end, not the speed of the server. */
const MIN_WORKING_SECONDS = 2;
/** By which factors the next deletion may differ from the last ones. */
const MARGIN = { from: 0.7, to: 1.5 };
/** A gap between two points, normally a second, is a pause if it is this many times longer than the others. */
const PAUSE_FACTOR = 5;

/**
 * The speed by requested mode, because renaming a key says nothing about archiving its elements; `expire` has no mode.
 */
export type MeasuredSpeeds = ReadonlyMap<DeletionMode | 'expire', MeasuredSpeed>;

/**
 * Reads the speed of the last deletions. A mode is missing if none is usable: too short, undone since, or made before
 * this was recorded.
 */
export async function readMeasuredSpeeds(instanceId: string): Promise<MeasuredSpeeds> {
  const ratiosByMode = new Map<DeletionMode | 'expire', { seconds: number[]; serverMs: number[] }>();
  for (const { plan, action, jobId, points } of await listStoredDeletions({
    instanceId,
    states: ['done'],
    limit: 20,
  })) {
    const { reference } = plan.estimate;
    const workingSeconds = countWorkingSeconds(points);
    if (
      action !== 'run' ||
      jobId === null ||
      !reference ||
      workingSeconds < MIN_WORKING_SECONDS ||
      reference.seconds === 0
    )
      continue;
    const mode = 'mode' in plan.options ? plan.options.mode : 'expire';
    const ratios = ratiosByMode.get(mode) ?? { seconds: [], serverMs: [] };
    if (ratios.seconds.length === MAX_DELETIONS) continue;
    ratiosByMode.set(mode, ratios);
    const cost = (await getStoredJob(jobId))?.job.cost ?? null;
    ratios.seconds.push(workingSeconds / reference.seconds);
    if (cost?.serverMs && reference.serverMs > 0) ratios.serverMs.push(cost.serverMs / reference.serverMs);
  }
  return new Map([...ratiosByMode].map(([mode, ratios]) => [mode, toMeasuredSpeed(ratios)]));
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
  return gaps.filter((gap) => gap <= median * PAUSE_FACTOR).reduce((sum, gap) => sum + gap, 0) / 1000;
}
