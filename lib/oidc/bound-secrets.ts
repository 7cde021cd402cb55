import { createHmac } from 'node:crypto';

/**
 * What binds an attempt to sign in to the browser that began it: nonce and PKCE verifier follow from the token in its
 * cookie and the state, so the database holds neither, and a code that was begun elsewhere is of no use here.
 */
export function boundSecrets(browserToken: string, state: string): { nonce: string; verifier: string } {
  const from = (what: string) => createHmac('sha256', browserToken).update(`${what} ${state}`).digest('base64url');
  return { nonce: from('nonce'), verifier: from('verifier') };
}
