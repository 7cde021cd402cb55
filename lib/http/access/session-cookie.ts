import { config } from '@/lib/config';
import { isLoopbackName } from './host-allowed';

/**
 * The cookie that holds the token of a session: for this host only, never readable by scripts, not sent with what other
 * sites start. On https it is `Secure` and named `__Host-`, which no other host and no page without TLS can set. Plain
 * http in a private network has neither. The port is part of the name, because cookies know no ports.
 */
const MAX_HEADER = 16_384;
export const cookieNameOf = (secure: boolean) => `${secure ? '__Host-' : ''}colonnade_${config.port}`;
export const RULES = 'Path=/; HttpOnly; SameSite=Lax';

/** Tokens are 32 bytes in base64url; whatever looks different is none. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Of the request's `Cookie` header; null = none. */
export function sessionToken(header: string | null, host: string): string | null {
  if (header === null || header.length > MAX_HEADER) return null;
  const secure = tokenNamed(header, cookieNameOf(true));
  if (secure !== null) return secure;
  // With TLS in front only the cookie counts that nobody on the way can set. This machine is on no way.
  const plain = !config.publicOrigin?.startsWith('https:') || isLoopbackName(host);
  return plain ? tokenNamed(header, cookieNameOf(false)) : null;
}

export function tokenNamed(header: string, name: string): string | null {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  const value = found?.slice(name.length + 1) ?? '';
  return TOKEN.test(value) ? value : null;
}

/** For `Set-Cookie`. Whether TLS is used says the origin of the page, which was checked before. */
export function sessionCookies(token: string, origin: string): string[] {
  const secure = origin.startsWith('https:');
  const given = `${cookieNameOf(secure)}=${token}; ${RULES}${secure ? '; Secure' : ''}`;
  return secure ? [given, gone(false)] : [given];
}

export const noSessionCookies = (): string[] => [gone(true), gone(false)];

const gone = (secure: boolean) => `${cookieNameOf(secure)}=; ${RULES}; Max-Age=0${secure ? '; Secure' : ''}`;
