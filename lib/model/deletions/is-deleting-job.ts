/**
 * Whether a job removes something from a server, by its kind and parameters: deleting, setting expiries and purging do,
 * undo restores. Unknown actions count as removing.
 */
export const isDeletingJob = (kind: string, params: unknown): boolean =>
  kind === 'deletion' && (params as { action?: unknown } | null)?.action !== 'undo';
