/** Exit codes. Scripts depend on them. */
export const EXIT = { fine: 0, findings: 1, usage: 2, connection: 3, interrupted: 4, failed: 5 } as const;

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {}

/** A failure with a specific exit code; the message says what to do. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly exit: number,
  ) {
    super(message);
  }
}
