/**
 * The cookie with the token of a session: for this host only, never readable by scripts, not sent with requests that
 * other sites start. On https it is `Secure` and named `__Host-`, so that no other host and no page without TLS can set
 * it. On plain http in a private network both are missing. The port is part of the name, because cookies do not
 * distinguish ports.
 */

import { config } from '@/lib/runtime/config';
import { isLoopbackName } from './is-host-allowed';

/** In characters; longer headers are not searched. */
const MAX_HEADER = 16_384;
export const buildCookieName = (secure: boolean) => `${secure ? '__Host-' : ''}colonnade_${config.port}`;
/** The attributes of every cookie. */
export const RULES = 'Path=/; HttpOnly; SameSite=Lax';

/** A token is 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the token in the `Cookie` header of a request; null = none. */
export function readSessionToken(header: string | null, host: string): string | null {
  if (header === null || header.length > MAX_HEADER) return null;
  const secure = readCookieToken(header, buildCookieName(true));
  if (secure !== null) return secure;
  // If TLS is configured, only the cookie that cannot be set on the network counts. Requests within this machine do not
  // cross a network.
  const acceptsPlain = !config.publicOrigin?.startsWith('https:') || isLoopbackName(host);
  return acceptsPlain ? readCookieToken(header, buildCookieName(false)) : null;
}

/** Returns the token in the cookie of that name; null = there is none, or it has another form. */
export function readCookieToken(header: string, name: string): string | null {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  const value = found?.slice(name.length + 1) ?? '';
  return TOKEN.test(value) ? value : null;
}

/** Returns values for `Set-Cookie`. The origin of the page, which was checked before, shows whether TLS is used. */
export function buildSessionCookies(token: string, origin: string): string[] {
  const secure = origin.startsWith('https:');
  const given = `${buildCookieName(secure)}=${token}; ${RULES}${secure ? '; Secure' : ''}`;
  return secure ? [given, buildClearedCookie(false)] : [given];
}

export const buildClearedCookies = (): string[] => [buildClearedCookie(true), buildClearedCookie(false)];

const buildClearedCookie = (secure: boolean) =>
  `${buildCookieName(secure)}=; ${RULES}; Max-Age=0${secure ? '; Secure' : ''}`;
