import { log } from '@/lib/log';
import { ERROR_STATUS, type ErrorBody, toErrorBody } from '@/lib/model/errors';

/**
 * On every answer that is not a page. `no-store`: what was allowed to one reader must not lie in a cache for another.
 */
export const SECURITY_HEADERS: Record<string, string> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const plain = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
};

export function jsonResponse(value: unknown, status = 200): Response {
  return secured(
    new Response(JSON.stringify(value, plain), {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
  );
}

/** Adds the headers to an answer that brings its own body; what it says itself about caching stays. */
export function secured(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/**
 * Known errors tell their code; unknown ones are shown blank. What is our own failure (500) is logged whole, known or
 * not.
 */
export function errorResponse(error: unknown, request: Request): Response {
  const body: ErrorBody = toErrorBody(error);
  const status = ERROR_STATUS[body.code] ?? 500;
  if (status === 500)
    log().error({ method: request.method, path: new URL(request.url).pathname, err: error }, 'http.request_failed');
  const response = jsonResponse({ error: body }, status);
  const { retryAfterSeconds } = body.details ?? {};
  if (typeof retryAfterSeconds === 'number') response.headers.set('retry-after', String(retryAfterSeconds));
  return response;
}
