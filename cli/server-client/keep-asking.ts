import { setTimeout as wait } from 'node:timers/promises';
import type { SentTo } from '@/app/api/routes';
import { CommandFailed, EXIT } from '@/cli/exit';
import { safe } from '@/cli/units';
import type { AskedRoute, Parsed } from './answer-shapes';
import { askServer, ServerErrorAnswer } from './ask-server';
import { NotAnswered } from './exchange';
import type { ServerAccess } from './server-access';

interface RetryOptions {
  /** A request is retried for this long, in ms, while the server does not answer. */
  forMs: number;
  /** The time limit of one request, in ms. */
  ms?: number;
  /** Called once per interruption. */
  onInterrupted?: (why: string) => void;
}

/** A request that only reads. It is retried while the connection is interrupted or the server asks to come later. */
export async function keepAsking<Name extends AskedRoute & `GET ${string}`>(
  access: ServerAccess,
  route: Name,
  sent: SentTo<Name>,
  { forMs, ms, onInterrupted }: RetryOptions = { forMs: 5000 },
): Promise<Parsed<Name>> {
  const until = performance.now() + forMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await askServer(access, route, sent, ms);
    } catch (error) {
      const seconds = computeRetrySeconds(error, attempt);
      if (seconds === null || performance.now() + seconds * 1000 > until)
        throw error instanceof NotAnswered ? toCommandFailed(access, error) : error;
      if (attempt === 0) onInterrupted?.((error as Error).message);
      await wait(seconds * 1000);
    }
  }
}

/**
 * Seconds until the next attempt, `attempt` counted from 0; null: no further attempt. There is no random spread, because
 * only one terminal waits, and a busy server says how long to wait.
 */
function computeRetrySeconds(error: unknown, attempt: number): number | null {
  const usual = Math.min(10, 0.5 * 2 ** attempt);
  if (error instanceof NotAnswered) return error.lasting ? null : usual;
  if (!(error instanceof ServerErrorAnswer) || ![429, 502, 503, 504].includes(error.status)) return null;
  return Math.min(30, Math.max(usual, error.retryAfterSeconds ?? 0));
}

/**
 * A request that changes something is sent only once, because after an interruption it is unknown whether the server
 * carried it out. `unknown`: the sentence that then says so.
 */
export async function askOnce<Name extends AskedRoute>(
  access: ServerAccess,
  route: Name,
  sent: SentTo<Name>,
  unknown: string,
): Promise<Parsed<Name>> {
  try {
    return await askServer(access, route, sent);
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error;
    const failed = toCommandFailed(access, error);
    if (error.sent) failed.message += ` ${unknown}`;
    throw failed;
  }
}

const toCommandFailed = ({ origin }: ServerAccess, error: NotAnswered) =>
  new CommandFailed(`${origin.origin} ${safe(error.message)}.`, EXIT.connection);
