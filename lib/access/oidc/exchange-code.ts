import * as client from 'openid-client';
import type { Identity, Provider } from '@/lib/model/accounts/oidc';
import { AppError } from '@/lib/model/errors';
import { log } from '@/lib/runtime/log';
import { buildRedirectAddress } from './authorization-address';
import { connectProvider } from './connect-provider';
import { deriveBoundSecrets } from './derive-bound-secrets';

const MAX_NAME = 256;

/**
 * Exchanges the code of a returning browser for tokens, checks state, nonce, PKCE, issuer, audience, times and
 * signature, and returns what the provider states about the person. The tokens are not kept. Errors:
 * `provider_unreachable`, `provider_sign_in_failed`.
 */
export async function exchangeCode(
  provider: Provider,
  { browserToken, state, parameters }: { browserToken: string; state: string; parameters: Record<string, string> },
): Promise<Identity> {
  const { nonce, verifier } = deriveBoundSecrets(browserToken, state);
  const address = new URL(buildRedirectAddress(provider));
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
    const claims = await addUserInfo(configuration, provider, token, tokens.access_token);
    const name = readClaim(claims, provider.nameClaim);
    return {
      issuer: token.iss,
      subject: token.sub,
      name: typeof name === 'string' ? name.slice(0, MAX_NAME) : null,
      groups: parseGroups(readClaim(claims, provider.groupsClaim)),
      // This comes from the signed token only; ms, null = the provider does not state it.
      authenticatedAt: typeof token.auth_time === 'number' ? token.auth_time * 1000 : null,
    };
  } catch (error) {
    throw toRefusedError(provider, error);
  }
}

/**
 * Adds claims of the userinfo endpoint, where many providers put names and groups; claims of the signed token take
 * precedence.
 */
async function addUserInfo(
  configuration: client.Configuration,
  { nameClaim, groupsClaim }: Provider,
  token: client.IDToken,
  accessToken: string,
): Promise<Record<string, unknown>> {
  const complete = [nameClaim, groupsClaim].every((name) => readClaim(token, name) !== undefined);
  if (complete || configuration.serverMetadata().userinfo_endpoint === undefined) return token;
  return { ...(await client.fetchUserInfo(configuration, accessToken, token.sub)), ...token };
}

function toRefusedError(provider: Provider, error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) return cause;
  const refusal = error as { code?: string; message?: string; error?: string };
  // This logs no tokens and no codes: the texts come from the library, and `error` is an error code of the protocol.
  const problem = refusal.message?.slice(0, 200);
  log().warn(
    { provider: provider.id, code: refusal.code, problem, said: refusal.error?.slice(0, 100) },
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

/**
 * Reads a claim by its full name (which may have dots, as in `https://example.com/groups`), otherwise by the path of
 * its segments. undefined = there is none.
 */
function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const segment of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Claims)[segment];
  }
  return value;
}

/** Returns the groups of a claim, which is a list of strings or a single one; other values name no group. */
function parseGroups(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
