import { setTimeout as sleep } from 'node:timers/promises';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { replaceHalfCharacters } from '@/lib/model/replace-half-characters';
import { SentAnswers } from './sent-answers';

/**
 * A page waits this long for its first answers, in ms; the browser requests the others. During scans on a small machine
 * some answers take much longer, and the frame of the page should not wait for them.
 */
const BUDGET_MS = 100;
/**
 * A read that was started continues for this many ms in all, because the browser requests the same in a moment and then
 * finds the answer in the server's cache.
 */
const GIVE_UP_MS = 3000;

/** Requests one answer and keeps it under the key that the browser uses for it. undefined: there is no answer. */
export type Ask = <T>(key: readonly unknown[], read: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;

/**
 * Runs on the server and puts answers into the first HTML and into the cache of the browser. It never fails and is
 * never slow: an answer that throws or takes longer than BUDGET_MS is not sent. The browser then requests it itself and
 * shows its loading state and its error.
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
 * Converts an answer to JSON and back, as the API does, because React sends no object without a prototype. A text that
 * ends in half a character would differ between the browser and the HTML.
 */
const asJson = <T,>(answer: T): T => JSON.parse(replaceHalfCharacters(JSON.stringify(answer))) as T;
