/** Kinds of jobs that write nothing to a server. */
const READING_KINDS = ['scan', 'leftovers'];

/**
 * Whether a job removes something from a server, by its kind and parameters: deleting, setting expiries and purging do,
 * undo restores. Unknown kinds and actions count as removing.
 */
export const isDeletingJob = (kind: string, params: unknown): boolean =>
  !READING_KINDS.includes(kind) && !(kind === 'deletion' && (params as { action?: unknown } | null)?.action === 'undo');
