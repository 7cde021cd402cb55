/** Kinds of jobs that write nothing to a server. */
const READING_KINDS = ['scan', 'leftovers'];

/**
 * Whether a job can make keys disappear, by its kind and parameters: every action of a deletion (deleting, setting
 * expiries, purging the quarantine) except undo, which restores. Unknown kinds and actions count as such.
 */
export const isDeletingJob = (kind: string, params: unknown): boolean =>
  !READING_KINDS.includes(kind) && !(kind === 'deletion' && (params as { action?: unknown } | null)?.action === 'undo');
