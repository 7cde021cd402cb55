/** Exit codes; scripts rely on them. */
export const EXIT = { fine: 0, findings: 1, usage: 2, connection: 3, interrupted: 4, failed: 5 } as const;

/** The command was called wrongly: the message says how. */
export class UsageError extends Error {}
