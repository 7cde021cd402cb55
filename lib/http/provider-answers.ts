import { toErrorBody } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { safeReturn } from './access/safe-return';
import { cookieNameOf, RULES, sessionCookies, tokenNamed } from './access/session-cookie';
import { jsonResponse, secured } from './respond';

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Answers with a page that leads the browser to a path of this server. A redirect would not work: the next request
 * would still count as started by the site that the browser came from, and be refused.
 */
function goOnPage(path: string, cookies: readonly string[] = []): Response {
  const to = escaped(path);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Colonnade</title><meta http-equiv="refresh" content="0;url=${to}"></head><body><main><a href="${to}">Continue / 继续</a></main></body></html>`;
  const response = new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return secured(response);
}

/**
 * Cookie that binds a sign-in attempt at a provider to the browser that began it. It expires soon and is never readable
 * by scripts. It is Lax, because the browser returns from another site.
 */
const SECONDS = 900;
const isSecure = () => config.publicOrigin?.startsWith('https:') ?? false;
const cookieName = () => `${cookieNameOf(isSecure())}_oidc`;

const browserToken = (request: Request): string | null => tokenNamed(request.headers.get('cookie') ?? '', cookieName());

const browserCookie = (token: string): string =>
  `${cookieName()}=${token}; ${RULES}; Max-Age=${SECONDS}${isSecure() ? '; Secure' : ''}`;

/** Address of the provider to send the browser to, with the cookie that it returns with. */
export async function toProvider(
  request: Request,
  next: string | undefined,
  begin: (asked: { browserToken: string | null; next: string }) => Promise<{ location: string; browserToken: string }>,
): Promise<Response> {
  const back = safeReturn(next);
  // The cookie must belong to the host that the provider sends people to.
  if (config.publicOrigin !== null && request.headers.get('origin') !== config.publicOrigin)
    return jsonResponse({ location: `${config.publicOrigin}/sign-in?next=${encodeURIComponent(back)}` });
  const { location, browserToken: token } = await begin({ browserToken: browserToken(request), next: back });
  const response = jsonResponse({ location });
  response.headers.append('set-cookie', browserCookie(token));
  return response;
}

/**
 * The browser returns: with a session it is led to the page that it wanted, otherwise to the sign-in page with the
 * error.
 */
export async function fromProvider(
  request: Request,
  provider: string,
  finish: (browserToken: string | null) => Promise<{ token: string | null; next: string }>,
): Promise<Response> {
  try {
    const { token, next } = await finish(browserToken(request));
    return goOnPage(safeReturn(next), token === null ? [] : sessionCookies(token, config.publicOrigin ?? ''));
  } catch (error) {
    const { code } = toErrorBody(error);
    if (code === 'internal') log().error({ err: error, provider }, 'oidc.callback_failed');
    return goOnPage(`/sign-in?${new URLSearchParams({ problem: code, provider })}`);
  }
}
