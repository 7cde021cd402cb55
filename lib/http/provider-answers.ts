import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { toErrorBody } from '@/lib/model/errors';
import { safeReturn } from './access/safe-return';
import { cookieNameOf, RULES, sessionCookies, tokenNamed } from './access/session-cookie';
import { jsonResponse, secured } from './respond';

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Leads the browser on to a path of ours. No redirect: what follows one still counts as asked by the site the browser
 * came from, and that is refused.
 */
function goOnPage(path: string, cookies: readonly string[] = []): Response {
  const to = escaped(path);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Colonnade</title><meta http-equiv="refresh" content="0;url=${to}"></head><body><main><a href="${to}">Continue / 继续</a></main></body></html>`;
  const response = new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return secured(response);
}

/**
 * Binds an attempt to sign in at a provider to the browser that began it. Short-lived, never readable by scripts; Lax,
 * because the browser comes back from another site.
 */
const SECONDS = 900;
const isSecure = () => config.publicOrigin?.startsWith('https:') ?? false;
const cookieName = () => `${cookieNameOf(isSecure())}_oidc`;

const browserToken = (request: Request): string | null => tokenNamed(request.headers.get('cookie') ?? '', cookieName());

const browserCookie = (token: string): string =>
  `${cookieName()}=${token}; ${RULES}; Max-Age=${SECONDS}${isSecure() ? '; Secure' : ''}`;

/** Where to send the browser so that it signs in at a provider, with the cookie that it comes back with. */
export async function toProvider(
  request: Request,
  next: string | undefined,
  begin: (asked: { browserToken: string | null; next: string }) => Promise<{ location: string; browserToken: string }>,
): Promise<Response> {
  const back = safeReturn(next);
  // The cookie has to be of the host to which the provider sends people back.
  if (config.publicOrigin !== null && request.headers.get('origin') !== config.publicOrigin)
    return jsonResponse({ location: `${config.publicOrigin}/sign-in?next=${encodeURIComponent(back)}` });
  const { location, browserToken: token } = await begin({ browserToken: browserToken(request), next: back });
  const response = jsonResponse({ location });
  response.headers.append('set-cookie', browserCookie(token));
  return response;
}

/** The browser comes back: with a session to where it wanted to go, or to the page of signing in with what failed. */
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
