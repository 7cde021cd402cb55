import type { Job } from '@/lib/model/job';

const KINDS = ['scan', 'deletion', 'leftovers'] as const;

/** Which word names what a job does. Jobs of before a deletion told its purpose are deletions. */
export const jobKindWord = ({ kind, purpose }: Job) =>
  kind === 'deletion' && purpose ? purpose : (KINDS.find((known) => known === kind) ?? 'other');
