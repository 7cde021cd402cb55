import { config } from '@/lib/config';
import { cookieNameOf, RULES, tokenNamed } from './session-cookie';

/**
 * Binds an attempt to sign in at a provider to the browser that began it. Short-lived, never readable by scripts; Lax,
 * because the browser comes back from another site.
 */
const SECONDS = 900;
const isSecure = () => config.publicOrigin?.startsWith('https:') ?? false;
const cookieName = () => `${cookieNameOf(isSecure())}_oidc`;

export const browserToken = (request: Request): string | null =>
  tokenNamed(request.headers.get('cookie') ?? '', cookieName());

export const browserCookie = (token: string): string =>
  `${cookieName()}=${token}; ${RULES}; Max-Age=${SECONDS}${isSecure() ? '; Secure' : ''}`;
