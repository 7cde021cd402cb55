/** A message that was not delivered. `text` is stored in the log of deliveries, so it holds no address and no secret. */
export class SendError extends Error {
  constructor(
    readonly code: string,
    text: string,
    /** Another try would be refused in the same way: a person must repair the channel. */
    readonly isFinal: boolean,
    /** How long the receiver asks to wait, ms. */
    readonly retryAfterMs?: number,
  ) {
    super(text);
  }
}
