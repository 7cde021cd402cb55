import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import { askServer, cannotAsk, ServerErrorAnswer } from './ask-server';
import { NotAnswered, type Question } from './exchange';
import type { ServerAccess } from './server-access';

export interface RetryOptions {
  /** For how long, in ms, a request is retried while the server does not answer. */
  forMs: number;
  /** Called once per interruption. */
  onInterrupted?: (why: string) => void;
}
/** A request that only reads. It is retried while the connection is interrupted or the server asks to come later. */
export async function keepAsking<T extends z.ZodType>(
  access: ServerAccess,
  question: Omit<Question, 'method' | 'body'>,
  shape: T,
  { forMs, onInterrupted }: RetryOptions = { forMs: 5000 },
): Promise<z.output<T>> {
  const until = performance.now() + forMs;
  for (let time = 0; ; time++) {
    try {
      return await askServer(access, { ...question, method: 'GET' }, shape);
    } catch (error) {
      const seconds = computeRetrySeconds(error, time);
      if (seconds === null || performance.now() + seconds * 1000 > until)
        throw error instanceof NotAnswered ? cannotAsk(access, error) : error;
      if (time === 0) onInterrupted?.((error as Error).message);
      await wait(seconds * 1000);
    }
  }
}

/**
 * Seconds until the next attempt; null = do not retry. Without random spread, because only one terminal asks, and a
 * busy server says how long to wait.
 */
function computeRetrySeconds(error: unknown, time: number): number | null {
  const usual = Math.min(10, 0.5 * 2 ** time);
  if (error instanceof NotAnswered) return error.lasting ? null : usual;
  if (!(error instanceof ServerErrorAnswer) || ![429, 502, 503, 504].includes(error.status)) return null;
  return Math.min(30, Math.max(usual, error.retryAfterSeconds ?? 0));
}

/**
 * A request that changes something is sent only once, because after an interruption it is unknown whether the server
 * carried it out.
 */
export async function askOnce<T extends z.ZodType>(
  access: ServerAccess,
  path: string,
  body: unknown,
  shape: T,
  unknown: string,
): Promise<z.output<T>> {
  try {
    return await askServer(access, { method: 'POST', path, body }, shape);
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error;
    const failed = cannotAsk(access, error);
    if (error.sent) failed.message += ` ${unknown}`;
    throw failed;
  }
}
