import { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SentAnswers } from './sent-answers';
import { textOfAnswers } from './text-of-answers';

/** A page waits this long for its first numbers; what is not there by then is asked by the browser. */
const BUDGET_MS = 200;

/** Asks one thing and keeps the answer under the key that the browser would ask it under. undefined: no answer. */
export type Ask = <T>(key: readonly unknown[], read: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;

/**
 * Runs on the server: answers go into the first HTML and into the cache of the browser. It never fails and is never
 * slow: what throws or takes longer than BUDGET_MS is left out, and the browser asks for it as if this were not here,
 * shows its error and its waiting.
 */
export async function Prefetched(props: { read: (ask: Ask) => Promise<unknown>; children: ReactNode }) {
  const client = new QueryClient();
  const signal = AbortSignal.timeout(BUDGET_MS);
  const tooLate = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const ask: Ask = async (key, read) => {
    if (signal.aborted) return undefined;
    const answer = await Promise.race([read(signal).catch(() => undefined), tooLate]);
    if (answer !== undefined) client.setQueryData(key, answer);
    return answer;
  };
  await props.read(ask).catch(() => undefined);
  return <SentAnswers state={textOfAnswers(client)}>{props.children}</SentAnswers>;
}
