import * as client from 'openid-client';
import type { Provider } from '@/lib/model/accounts/oidc';
import { config } from '@/lib/runtime/config';
import { connectProvider } from './connect-provider';
import { deriveBoundSecrets } from './derive-bound-secrets';

export const buildRedirectAddress = ({ id }: Provider): string => `${config.publicOrigin}/api/oidc/${id}/callback`;

/**
 * Returns the address where the browser signs in. `again`: whether a user who is signed in there has to authenticate
 * again.
 */
export async function buildAuthorizationAddress(
  provider: Provider,
  { browserToken, state, again }: { browserToken: string; state: string; again: boolean },
): Promise<string> {
  const configuration = await connectProvider(provider);
  const { nonce, verifier } = deriveBoundSecrets(browserToken, state);
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: buildRedirectAddress(provider),
    scope: [...new Set(['openid', ...provider.scopes])].join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(again && { prompt: 'login', max_age: '0' }),
  });
  return address.href;
}
