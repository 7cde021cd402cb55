/**
 * The browser's only way to the server. Every call carries the header that a foreign page cannot set, and every failure
 * becomes an ApiError with a code of the server's table.
 */

import type { AnswerOf, RouteName, SentTo } from '@/app/api/routes';
import type { ErrorBody } from '@/lib/model/errors';
import { formatApiAddress } from '@/lib/model/text/api-address';
import { ApiError } from './api-error';
import { noteHeartbeat } from './events/heartbeat';
import { askFreshSignIn } from './fresh-sign-in';
import { goToSignIn } from './sign-in-redirect';

/**
 * How long, ms, requests count as caused by the last input. Pages poll by themselves, and only requests after an input
 * keep an unused session from ending.
 */
const RECENT_MS = 60_000;
let lastInputAt = Date.now();

if (typeof window !== 'undefined')
  for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(name, () => (lastInputAt = Date.now()), { capture: true, passive: true });

const isIdle = (): boolean => Date.now() - lastInputAt > RECENT_MS;

/** The address of an answer, for links to files. */
export const buildApiUrl = <Name extends RouteName>(route: Name, sent: SentTo<Name>): string =>
  formatApiAddress(route, sent as Sent);

/**
 * Sends a request to a route and returns its answer. If the server requires the password again, as for actions on
 * production, the request is repeated once it was entered. Errors: ApiError; an AbortError for an aborted `signal`.
 */
export async function api<Name extends RouteName>(
  route: Name,
  sent: SentTo<Name>,
  signal?: AbortSignal,
): Promise<AnswerOf<Name>> {
  try {
    return await callOnce(route, sent as Sent, signal);
  } catch (error) {
    const needsPassword = error instanceof ApiError && error.code === 'fresh_sign_in_needed';
    if (!needsPassword || !(await askFreshSignIn())) throw error;
    return callOnce(route, sent as Sent, signal);
  }
}

type Sent = { body?: unknown; [part: string]: unknown };

async function callOnce<Answer>(route: string, sent: Sent, signal?: AbortSignal): Promise<Answer> {
  const response = await fetchResponse(route, sent, signal);
  const answer = await readAnswer<Answer>(response);
  // An answer of a proxy in place of the server is no sign of life.
  if (!(answer instanceof ApiError && answer.code === 'network')) noteHeartbeat();
  if (answer instanceof ApiError) throw answer;
  return answer;
}

async function readAnswer<Answer>(response: Response): Promise<Answer | ApiError> {
  const json = (await response.json().catch(() => null)) as (Answer & { error?: ErrorBody }) | null;
  if (response.ok && json !== null) return json;
  const failure = json?.error;
  if (failure?.code === 'sign_in_needed') goToSignIn();
  if (failure) return new ApiError(failure.code, response.status, failure.message, failure.details);
  return new ApiError('network', response.status, `HTTP ${response.status}`);
}

async function fetchResponse(route: string, sent: Sent, signal?: AbortSignal): Promise<Response> {
  const [method] = route.split(' ');
  const reads = method === 'GET';
  const headers: Record<string, string> = { 'x-colonnade': '1', accept: 'application/json' };
  if (isIdle()) headers['x-colonnade-idle'] = '1';
  if (!reads) headers['content-type'] = 'application/json';
  try {
    return await fetch(formatApiAddress(route, sent), {
      method,
      headers,
      cache: 'no-store',
      body: reads ? undefined : JSON.stringify(sent.body ?? {}),
      signal,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('network', 0, 'The server does not answer.');
  }
}
