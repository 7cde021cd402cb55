import * as client from 'openid-client';
import { log } from '@/lib/log';
import type { Identity, Provider } from '@/lib/model/accounts/oidc';
import { AppError } from '@/lib/model/errors';
import { redirectAddress } from './authorization-address';
import { boundSecrets } from './bound-secrets';
import { connectProvider } from './connect-provider';

const MAX_NAME = 256;

/**
 * What the provider says of whoever comes back: the code for tokens, checked by state, nonce, PKCE, issuer, audience,
 * times and signature. The tokens are thrown away. Errors: `provider_unreachable`, `provider_sign_in_failed`.
 */
export async function exchangeCode(
  provider: Provider,
  { browserToken, state, parameters }: { browserToken: string; state: string; parameters: Record<string, string> },
): Promise<Identity> {
  const { nonce, verifier } = boundSecrets(browserToken, state);
  const address = new URL(redirectAddress(provider));
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  try {
    const configuration = await connectProvider(provider);
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const token = tokens.claims();
    if (token === undefined || token.iss !== configuration.serverMetadata().issuer) throw new Error('another issuer');
    const claims = await withUserInfo(configuration, provider, token, tokens.access_token);
    const name = claimAt(claims, provider.nameClaim);
    return {
      issuer: token.iss,
      subject: token.sub,
      name: typeof name === 'string' ? name.slice(0, MAX_NAME) : null,
      groups: groupsIn(claimAt(claims, provider.groupsClaim)),
      // Of the signed token alone.
      authenticatedAt: typeof token.auth_time === 'number' ? token.auth_time * 1000 : null,
    };
  } catch (error) {
    throw failure(provider, error);
  }
}

/** Many providers put names and groups there; what the signed token says comes first. */
async function withUserInfo(
  configuration: client.Configuration,
  { nameClaim, groupsClaim }: Provider,
  token: client.IDToken,
  accessToken: string,
): Promise<Record<string, unknown>> {
  const complete = [nameClaim, groupsClaim].every((name) => claimAt(token, name) !== undefined);
  if (complete || configuration.serverMetadata().userinfo_endpoint === undefined) return token;
  return { ...(await client.fetchUserInfo(configuration, accessToken, token.sub)), ...token };
}

function failure(provider: Provider, error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) return cause;
  const { code, message, error: said } = error as { code?: string; message?: string; error?: string };
  // Neither tokens nor codes: these texts are the library's own, and the error code of the protocol.
  log().warn(
    { provider: provider.id, code, problem: message?.slice(0, 200), said: said?.slice(0, 100) },
    'oidc.refused',
  );
  return new AppError(
    'provider_sign_in_failed',
    `${provider.label} did not sign you in, or its token is not valid.`,
    { provider: provider.label },
    { cause: error },
  );
}

type Claims = Record<string, unknown>;

/** By its whole name (which may hold dots, as `https://example.com/groups`), else by the path of its segments. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const segment of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Claims)[segment];
  }
  return value;
}

/** A list of words, or a single one; whatever else it is names no group. */
function groupsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
