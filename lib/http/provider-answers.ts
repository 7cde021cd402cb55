import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { toErrorBody } from '@/lib/model/errors';
import { browserCookie, browserToken } from './access/provider-cookie';
import { safeReturn } from './access/safe-return';
import { sessionCookies } from './access/session-cookie';
import { goOnPage } from './go-on-page';
import { jsonResponse } from './respond';

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
