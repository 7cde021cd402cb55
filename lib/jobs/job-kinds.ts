import { getProcessWide } from '@/lib/runtime/process-wide';
import type { StoredJob } from '@/lib/store/jobs';
import type { JobKind } from './loop/job-kind';

const getKinds = () => getProcessWide('job-kinds', () => new Map<string, JobKind>());

/**
 * Registers the job kinds. It is called when a process of any role starts, because its pages resume jobs that other
 * processes run.
 */
export function registerJobKinds(kinds: readonly JobKind[]): void {
  for (const kind of kinds) getKinds().set(kind.kind, kind);
}

/** Whether a job deletes something from a server, as its kind says. A kind that is not registered is assumed to. */
export function isDeletingStoredJob({ job, params }: StoredJob): boolean {
  const kind = getKinds().get(job.kind);
  return kind === undefined || (kind.isDeleting?.(params) ?? false);
}
