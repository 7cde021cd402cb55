/**
 * Whether a job takes something away from a server, by its kind and what it was given to run: deleting, setting
 * expiries and purging do; undo restores. What is not known is taken for the worse.
 */
export const takesAway = (kind: string, params: unknown): boolean =>
  kind === 'deletion' && (params as { action?: unknown } | null)?.action !== 'undo';
