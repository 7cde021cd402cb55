import { AppError } from '@/lib/model/errors';
import type { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { classifyRefusal } from '@/lib/redis/protocol/classify-refusal';
import type { FailureKind } from './types';

const BRAND = Symbol.for('colonnade.WriteFailure');

/**
 * Says what went wrong with a command that writes; `kind` decides what may be done next. It never holds a name or a
 * value.
 */
export class WriteFailure extends Error {
  readonly [BRAND] = true;
  constructor(
    readonly kind: FailureKind,
    /** The first word of the server's reply, or the code of the connection error. */
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'WriteFailure';
  }

  /** The error to show a person: the connection failure that caused it, or what the server refused. */
  toAppError(): AppError {
    if (this.cause instanceof AppError) return this.cause;
    if (this.kind === 'denied')
      return new AppError('redis_no_permission', this.message, { code: this.code }, { cause: this });
    return new AppError('redis_error', this.message, { code: this.code }, { cause: this });
  }

  /** Checks a brand instead of the class, because pages, routes and the engine each load a copy of this class. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }
}

/** Turns an error reply of the server into a WriteFailure. */
export function toWriteFailure(reply: RedisReplyError): WriteFailure {
  const { kind, code } = classifyRefusal(reply);
  return new WriteFailure(kind, code, `The server answered with an error (${code}).`);
}

/**
 * A reply of another kind than the command returns: caused by a proxy, a transaction left open, or a server that is not
 * Redis.
 */
export const createUnexpectedReplyError = () =>
  new WriteFailure('refused', 'ERR', 'The server answered with something else than the command gives.');

/** The code of the failure if this user may not run a script that compares a key and then changes it. */
export const SCRIPT_DENIED = 'SCRIPTDENIED';

/**
 * Turns the denial of such a script into a failure with the code SCRIPT_DENIED, because a person can grant the right.
 * Other errors are returned unchanged. Called without an error if no script was sent, because the server's clock is not
 * known.
 */
export function scriptDenied(error?: Error): Error {
  if (error !== undefined && !(error instanceof WriteFailure && error.kind === 'denied')) return error;
  return new WriteFailure('denied', SCRIPT_DENIED, 'The script that compares and changes a key is denied.', {
    cause: error,
  });
}

/** The server does not know the command (an older one, or renamed), which is different from denying it to this user. */
export const isUnknownCommand = (error: unknown): error is WriteFailure =>
  error instanceof WriteFailure && error.kind === 'denied' && error.code !== 'NOPERM';

/** The connection was lost after sending: whether the command was carried out is unknown. */
export function toLossFailure(error: unknown): WriteFailure {
  if (error instanceof WriteFailure) return error;
  const code = error instanceof AppError ? error.code : 'redis_unreachable';
  const message = error instanceof Error ? error.message : 'The connection was lost.';
  return new WriteFailure('unknown_outcome', code, message, { cause: error });
}
