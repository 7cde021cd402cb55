/** Exit codes; scripts rely on them. */
export const EXIT = { fine: 0, findings: 1, usage: 2, connection: 3, interrupted: 4, failed: 5 } as const;

/** The command was called wrongly: the message says how. */
export class UsageError extends Error {}

/** It went wrong in a way that has a code of its own; the message says what to do. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly exit: number,
  ) {
    super(message);
  }
}
