import type { Job } from '@/lib/model/job';

const KINDS = ['scan', 'deletion', 'leftovers'] as const;

/** The word that names what a job does. A deletion job that was stored without a purpose is called a deletion. */
export const getJobKindWord = ({ kind, purpose }: Job) =>
  kind === 'deletion' && purpose ? purpose : (KINDS.find((known) => known === kind) ?? 'other');
