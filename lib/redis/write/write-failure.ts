import { AppError } from '@/lib/model/errors';
import type { RedisReplyError } from '@/lib/redis/protocol/any-reply';
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

  /** Pages, routes and engine hold copies of this class. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }
}

const KINDS: Record<string, FailureKind> = {
  MOVED: 'moved',
  ASK: 'ask',
  TRYAGAIN: 'transient',
  CLUSTERDOWN: 'transient',
  LOADING: 'transient',
  MASTERDOWN: 'transient',
  BUSY: 'transient',
  NOREPLICAS: 'transient',
  MISCONF: 'transient',
  READONLY: 'not_master',
  OOM: 'out_of_memory',
  NOPERM: 'denied',
  NOAUTH: 'denied',
  WRONGTYPE: 'wrong_type',
  CROSSSLOT: 'wrong_type',
};

/** An error reply of the server. A script's error carries the command's own behind it. */
export function refusalOf(reply: RedisReplyError): WriteFailure {
  const inner =
    /\b(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|LOADING|MASTERDOWN|NOREPLICAS|MISCONF|READONLY|OOM|NOPERM|WRONGTYPE|CROSSSLOT)\b/.exec(
      reply.message,
    );
  const code = KINDS[reply.code] ? reply.code : (inner?.[1] ?? reply.code);
  const unknown =
    /unknown (?:redis |sub)?command|ACL failure in script|can't run this command|after non deterministic commands/i.test(
      reply.message,
    );
  const kind = KINDS[code] ?? (unknown ? 'denied' : 'refused');
  const reported = /^[A-Z]{2,20}$/.test(code) ? code : 'ERR';
  return new WriteFailure(kind, reported, `The server answered with an error (${reported}).`);
}

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
