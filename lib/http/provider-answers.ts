import { toErrorBody } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { buildCookieName, buildSessionCookies, RULES, readCookieToken } from './access/session-cookie';
import { toSafeReturn } from './access/to-safe-return';
import { addSecurityHeaders, toJsonResponse } from './respond';

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Answers with a page that leads the browser to a path of this server. A redirect would not work: the next request
 * would still count as started by the site that the browser came from, and be refused.
 */
function renderContinuePage(path: string, cookies: readonly string[] = []): Response {
  const to = escapeHtml(path);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Colonnade</title><meta http-equiv="refresh" content="0;url=${to}"></head><body><main><a href="${to}">Continue / 继续</a></main></body></html>`;
  const response = new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return addSecurityHeaders(response);
}

/** How long the browser keeps the cookie of a sign-in attempt. */
const ATTEMPT_SECONDS = 900;
const isSecure = () => config.publicOrigin?.startsWith('https:') ?? false;
const buildProviderCookieName = () => `${buildCookieName(isSecure())}_oidc`;

const readBrowserToken = (request: Request): string | null =>
  readCookieToken(request.headers.get('cookie') ?? '', buildProviderCookieName());

/**
 * Cookie that binds a sign-in attempt at a provider to the browser that began it. It expires soon and is never readable
 * by scripts. It is Lax, because the browser returns from another site.
 */
const buildBrowserCookie = (token: string): string =>
  `${buildProviderCookieName()}=${token}; ${RULES}; Max-Age=${ATTEMPT_SECONDS}${isSecure() ? '; Secure' : ''}`;

/** Answers with the address of the provider that the page leads the browser to, and sets the cookie of the attempt. */
export async function redirectToProvider(
  request: Request,
  next: string | undefined,
  begin: (asked: { browserToken: string | null; next: string }) => Promise<{ location: string; browserToken: string }>,
): Promise<Response> {
  const safeNext = toSafeReturn(next);
  // The cookie must belong to the host that the provider sends people to.
  if (config.publicOrigin !== null && request.headers.get('origin') !== config.publicOrigin)
    return toJsonResponse({ location: `${config.publicOrigin}/sign-in?next=${encodeURIComponent(safeNext)}` });
  const { location, browserToken: token } = await begin({ browserToken: readBrowserToken(request), next: safeNext });
  const response = toJsonResponse({ location });
  response.headers.append('set-cookie', buildBrowserCookie(token));
  return response;
}

/**
 * Answers the browser that a provider sends back: with a session it is led to the page that the person wanted,
 * otherwise to the sign-in page with the error.
 */
export async function answerCallback(
  request: Request,
  provider: string,
  finish: (browserToken: string | null) => Promise<{ token: string | null; next: string }>,
): Promise<Response> {
  try {
    const { token, next } = await finish(readBrowserToken(request));
    return renderContinuePage(
      toSafeReturn(next),
      token === null ? [] : buildSessionCookies(token, config.publicOrigin ?? ''),
    );
  } catch (error) {
    const { code } = toErrorBody(error);
    if (code === 'internal') log().error({ err: error, provider }, 'oidc.callback_failed');
    return renderContinuePage(`/sign-in?${new URLSearchParams({ problem: code, provider })}`);
  }
}
