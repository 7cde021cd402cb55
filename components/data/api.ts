/**
 * The browser's only way to the server. Every call carries the header that a foreign page cannot set, and every failure
 * becomes an ApiError with a code of the server's table.
 */

import type { ErrorBody } from '@/lib/model/errors';
import { ApiError } from './api-error';
import { noteHeartbeat } from './events/heartbeat';
import { askFreshSignIn } from './fresh-sign-in';
import { toQueryString } from './query-string';
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

type Query = Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>;

async function callOnce<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetchResponse(method, path, body, signal);
  const answer = await readAnswer<T>(response);
  // An answer of a proxy in place of the server is no sign of life.
  if (!(answer instanceof ApiError && answer.code === 'network')) noteHeartbeat();
  if (answer instanceof ApiError) throw answer;
  return answer;
}

async function readAnswer<T>(response: Response): Promise<T | ApiError> {
  const json = (await response.json().catch(() => null)) as (T & { error?: ErrorBody }) | null;
  if (response.ok && json !== null) return json;
  if (response.ok && response.status === 204) return undefined as T;
  const failure = json?.error;
  if (failure?.code === 'sign_in_needed') goToSignIn();
  if (failure) return new ApiError(failure.code, response.status, failure.message, failure.details);
  return new ApiError('network', response.status, `HTTP ${response.status}`);
}

async function fetchResponse(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'x-colonnade': '1', accept: 'application/json' };
  if (isIdle()) headers['x-colonnade-idle'] = '1';
  if (body !== undefined || method !== 'GET') headers['content-type'] = 'application/json';
  try {
    return await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
      signal,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('network', 0, 'The server does not answer.');
  }
}

/** If the server requires the password again, as for actions on production, repeats the call once it was entered. */
async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  try {
    return await callOnce<T>(method, path, body, signal);
  } catch (error) {
    const needsPassword = error instanceof ApiError && error.code === 'fresh_sign_in_needed';
    if (!needsPassword || !(await askFreshSignIn())) throw error;
    return callOnce<T>(method, path, body, signal);
  }
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    call<T>('GET', `${path}${toQueryString(query ?? {})}`, undefined, signal),
  post: <T>(path: string, body?: unknown) => call<T>('POST', path, body),
  put: <T>(path: string, body?: unknown) => call<T>('PUT', path, body),
  patch: <T>(path: string, body?: unknown) => call<T>('PATCH', path, body),
  delete: <T>(path: string) => call<T>('DELETE', path),
};
