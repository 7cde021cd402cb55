import { AppError } from '@/lib/model/errors';
import type { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { classifyRefusal } from '@/lib/redis/protocol/classify-refusal';
import type { FailureKind } from './types';

const BRAND = Symbol.for('colonnade.WriteFailure');

/** What went wrong with a command that writes; `kind` says what may be done next. Never holds a name or a value. */
export class WriteFailure extends Error {
  readonly [BRAND] = true;
  constructor(
    readonly kind: FailureKind,
    /** First word of the server's answer, or the code of the connection error. */
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'WriteFailure';
  }

  /** For a person who waits for the answer: the failure of the connection behind it, or what the server refused. */
  toAppError(): AppError {
    if (this.cause instanceof AppError) return this.cause;
    if (this.kind === 'denied')
      return new AppError('redis_no_permission', this.message, { code: this.code }, { cause: this });
    return new AppError('redis_error', this.message, { code: this.code }, { cause: this });
  }

  /** Pages, routes and engine hold copies of this class. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }
}

/** An error reply of the server. */
export function refusalOf(reply: RedisReplyError): WriteFailure {
  const { kind, code } = classifyRefusal(reply);
  return new WriteFailure(kind, code, `The server answered with an error (${code}).`);
}

/** A reply that is not of the kind its command gives: a proxy, a transaction left open, or no Redis. */
export const oddReply = () =>
  new WriteFailure('refused', 'ERR', 'The server answered with something else than the command gives.');

/** The server has no such command (an older one, or renamed): another thing than one that is denied to our user. */
export const isUnknownCommand = (error: unknown): error is WriteFailure =>
  error instanceof WriteFailure && error.kind === 'denied' && error.code !== 'NOPERM';

/** The connection was lost after sending: whether the command was carried out is unknown. */
export function lossOf(error: unknown): WriteFailure {
  if (error instanceof WriteFailure) return error;
  const code = error instanceof AppError ? error.code : 'redis_unreachable';
  const message = error instanceof Error ? error.message : 'The connection was lost.';
  return new WriteFailure('unknown_outcome', code, message, { cause: error });
}
