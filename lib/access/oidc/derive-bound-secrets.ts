import { createHmac } from 'node:crypto';

/**
 * Derives nonce and PKCE verifier from the token in the cookie and the state, which binds an attempt to sign in to the
 * browser that began it. The database stores neither, and a code that was requested by another browser cannot be used
 * here.
 */
export function deriveBoundSecrets(browserToken: string, state: string): { nonce: string; verifier: string } {
  const deriveSecret = (what: string) =>
    createHmac('sha256', browserToken).update(`${what} ${state}`).digest('base64url');
  return { nonce: deriveSecret('nonce'), verifier: deriveSecret('verifier') };
}
