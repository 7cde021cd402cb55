import { setTimeout as sleep } from 'node:timers/promises';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { wholeCharacters } from '@/lib/model/whole-characters';
import { SentAnswers } from './sent-answers';

/**
 * A page waits this long for its first numbers; what is not there by then is asked by the browser. Beside scans on a
 * small machine some answers come later than any of this, and then the frame of the page should not be late as well.
 */
const BUDGET_MS = 100;
/** A question that was begun goes on for this long: the browser asks the same in a moment, and finds the answer. */
const GIVE_UP_MS = 3000;

/** Asks one thing and keeps the answer under the key that the browser would ask it under. undefined: no answer. */
export type Ask = <T>(key: readonly unknown[], read: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;

/**
 * Runs on the server: answers go into the first HTML and into the cache of the browser. It never fails and is never
 * slow: what throws or takes longer than BUDGET_MS is left out, and the browser asks for it as if this were not here,
 * shows its error and its waiting.
 */
export async function Prefetched(props: { read: (ask: Ask) => Promise<unknown>; children: ReactNode }) {
  const client = new QueryClient();
  const signal = AbortSignal.timeout(GIVE_UP_MS);
  let isLate = false;
  const tooLate = sleep(BUDGET_MS, undefined, { ref: false }).then(() => {
    isLate = true;
  });
  const ask: Ask = async (queryKey, read) => {
    if (isLate) return undefined;
    return client.query({ queryKey, queryFn: async () => asJson(await read(signal)) }).catch(() => undefined);
  };
  await Promise.race([props.read(ask).catch(() => undefined), tooLate]);
  return <SentAnswers state={dehydrate(client)}>{props.children}</SentAnswers>;
}

/**
 * As the API would hand it over; React sends no object without a prototype. Half a character would be another text in
 * the browser than in the HTML.
 */
const asJson = <T,>(answer: T): T => JSON.parse(wholeCharacters(JSON.stringify(answer))) as T;
