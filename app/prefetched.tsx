import { setTimeout as sleep } from 'node:timers/promises';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AnswerOf, ROUTE_TABLE, type SentTo } from '@/app/api/routes';
import { buildKey, type ReadName } from '@/components/data/build-key';
import { SentAnswers } from '@/components/data/first-html/sent-answers';
import { getPageActor } from '@/lib/http/access/page-actor';
import type { Actor } from '@/lib/model/actor';
import { replaceHalfCharacters } from '@/lib/model/replace-half-characters';
import { formatApiAddress } from '@/lib/model/text/api-address';

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

/**
 * Requests one answer and keeps it under the key that the browser uses for it. undefined: there is no answer.
 * `version`: the end of that key. `pages`: the answer is the first page of a list.
 */
export type Ask = <Name extends ReadName>(
  route: Name,
  sent: SentTo<Name>,
  kept?: { version?: string; pages?: true },
) => Promise<AnswerOf<Name> | undefined>;

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
  // Finding out who asks must not keep the page waiting beyond its time budget either.
  const actor = getPageActor();
  actor.catch(() => undefined);
  const ask: Ask = async (route, sent, { version, pages } = {}) => {
    if (isLate) return undefined;
    const queryKey = [...buildKey(route, sent), ...(version === undefined ? [] : [version])];
    const queryFn = async () => asJson(await readRoute(await actor, route, sent, signal));
    const answer = await queryFn().catch(() => undefined);
    if (answer !== undefined) client.setQueryData(queryKey, pages ? { pages: [answer], pageParams: [null] } : answer);
    return answer;
  };
  await Promise.race([props.read(ask).catch(() => undefined), tooLate]);
  return <SentAnswers state={dehydrate(client)}>{props.children}</SentAnswers>;
}

/** Answers a route to a person as a request of the browser would be answered, without sending one. */
export async function readRoute<Name extends ReadName>(
  actor: Actor,
  route: Name,
  sent: SentTo<Name>,
  signal: AbortSignal,
): Promise<AnswerOf<Name>> {
  const url = new URL(formatApiAddress(route, sent as Record<string, unknown>), 'http://localhost');
  const found = ROUTE_TABLE.find(url.pathname);
  const answer = await found?.methods.get('GET')?.answerTo(actor, new Request(url, { signal }), found.values);
  return answer as AnswerOf<Name>;
}

/**
 * Converts an answer to JSON and back, as the API does, because React sends no object without a prototype. A text that
 * ends in half a character would differ between the browser and the HTML.
 */
const asJson = <T,>(answer: T): T => JSON.parse(replaceHalfCharacters(JSON.stringify(answer))) as T;
