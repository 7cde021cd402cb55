import { processWide } from '@/lib/process-wide';
import type { StoredJob } from '@/lib/store/jobs';
import type { JobKind } from './loop/kind';

const theKinds = () => processWide('job-kinds', () => new Map<string, JobKind>());

/** When a process begins, whatever its role: its pages resume jobs that others run. */
export function registerJobKinds(kinds: readonly JobKind[]): void {
  for (const kind of kinds) theKinds().set(kind.kind, kind);
}

/** Whether its kind says so. A kind that nobody has registered is taken for the worse. */
export function jobTakesAway({ job, params }: StoredJob): boolean {
  const kind = theKinds().get(job.kind);
  return kind === undefined || (kind.takesAway?.(params) ?? false);
}
