import { log } from '@/lib/log';
import { ERROR_STATUS, type ErrorBody, type ErrorCode, toErrorBody } from '@/lib/model/errors';

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

/** Their texts name folders and files of the server. */
const NAMES_FILES = new Set<ErrorCode>(['store_read_only', 'data_folder', 'data_locked', 'disk_full', 'vault_key']);

/**
 * Known errors tell their code; unknown ones are shown blank. What is our own failure (500) is logged whole, known or
 * not. Whoever has not signed in does not learn where this server keeps its files.
 */
export function errorResponse(error: unknown, request: Request, { isKnown = true } = {}): Response {
  const whole = toErrorBody(error);
  const body: ErrorBody =
    isKnown || !NAMES_FILES.has(whole.code)
      ? whole
      : {
          code: whole.code,
          message: 'The server cannot do this at the moment; whoever runs it finds the reason in its log.',
        };
  const status = ERROR_STATUS[body.code] ?? 500;
  if (status === 500)
    log().error({ method: request.method, path: new URL(request.url).pathname, err: error }, 'http.request_failed');
  const response = jsonResponse({ error: body }, status);
  const { retryAfterSeconds } = body.details ?? {};
  if (typeof retryAfterSeconds === 'number') response.headers.set('retry-after', String(retryAfterSeconds));
  return response;
}
