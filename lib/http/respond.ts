import { ERROR_STATUS, type ErrorBody, type ErrorCode, toErrorBody } from '@/lib/model/errors';
import { log } from '@/lib/runtime/log';

/**
 * Headers of every answer that is not a page. `no-store`, because a cache must not give one reader's data to another.
 */
export const SECURITY_HEADERS: Record<string, string> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Writes a bigint as a number, or as text if a number would lose digits. */
const toPlain = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
};

export function toJsonResponse(value: unknown, status = 200): Response {
  return addSecurityHeaders(
    new Response(JSON.stringify(value, toPlain), {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
  );
}

/** Adds the headers to an answer with its own body; its own headers, such as those for caching, are kept. */
export function addSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** Errors whose messages name folders and files of the server. */
const NAMES_FILES = new Set<ErrorCode>(['store_read_only', 'data_folder', 'data_locked', 'disk_full', 'vault_key']);

/**
 * Answers an error. Known errors show their code, unknown ones only a general message. A failure of this server (500)
 * is logged in full. People who have not signed in do not learn where this server stores its files.
 */
export function toErrorResponse(error: unknown, request: Request, { isKnown = true } = {}): Response {
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
  const response = toJsonResponse({ error: body }, status);
  const { retryAfterSeconds } = body.details ?? {};
  if (typeof retryAfterSeconds === 'number') response.headers.set('retry-after', String(retryAfterSeconds));
  return response;
}
