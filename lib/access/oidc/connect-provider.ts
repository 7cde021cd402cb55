import * as client from 'openid-client';
import type { Provider } from '@/lib/model/accounts/oidc';
import { AppError } from '@/lib/model/errors';
import { askProvider, checkEndpoint, reportUnreachable } from './ask-provider';

/**
 * How long the discovery document of a provider is cached after its first use, ms. The keys are fetched at each
 * sign-in: a key that was withdrawn is refused at once, and a new one is accepted at once.
 */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 50;
const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const discovered = new Map<string, { at: number; metadata: client.ServerMetadata }>();

/** Returns the configuration of a provider for a request. Errors: `provider_unreachable`. */
export async function connectProvider(provider: Provider): Promise<client.Configuration> {
  const metadata = await readMetadata(provider);
  const authentication = chooseAuthentication(provider, metadata);
  const configuration = new client.Configuration(metadata, provider.clientId, undefined, authentication);
  configuration[client.customFetch] = (url, options) => askProvider(provider, url, options);
  if (isPlain(provider)) client.allowInsecureRequests(configuration);
  // The signature of the token is verified, not only the connection it came over.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Returns the discovery document from the cache, or asks the provider for it. */
async function readMetadata(provider: Provider): Promise<client.ServerMetadata> {
  const now = Date.now();
  const key = JSON.stringify([provider.issuer, provider.clientId, provider.hosts]);
  const known = discovered.get(key);
  if (known && now >= known.at && now - known.at < KEPT_MS) return known.metadata;
  const metadata = await discover(provider);
  discovered.delete(key);
  discovered.set(key, { at: now, metadata });
  if (discovered.size > MAX_KEPT) discovered.delete(discovered.keys().next().value as string);
  return metadata;
}

async function discover(provider: Provider): Promise<client.ServerMetadata> {
  try {
    const found = await client.discovery(new URL(provider.issuer), provider.clientId, undefined, undefined, {
      [client.customFetch]: (url, options) => askProvider(provider, url, options),
      ...(isPlain(provider) && { execute: [client.allowInsecureRequests] }),
    });
    const metadata = { ...found.serverMetadata() };
    // An issuer that all tenants share would admit users of any tenant.
    if (trimSlash(metadata.issuer) !== trimSlash(provider.issuer))
      throw reportUnreachable(provider, 'its discovery document names another issuer.');
    for (const name of NEEDED) {
      const address = metadata[name];
      if (address === undefined) throw reportUnreachable(provider, `its discovery document names no ${name}.`);
      checkEndpoint(provider, address);
    }
    // This is checked too, because browsers are sent there: an attacker who can change this document could send them
    // anywhere.
    if (metadata.end_session_endpoint !== undefined) checkEndpoint(provider, metadata.end_session_endpoint);
    return metadata;
  } catch (error) {
    throw toUnreachableError(provider, error);
  }
}

function chooseAuthentication({ clientSecret }: Provider, metadata: client.ServerMetadata): client.ClientAuth {
  if (clientSecret === null) return client.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const basic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
  return (basic ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret.reveal());
}

/**
 * Returns the error of the request (time limit, size, wrong address) if there is one, otherwise an error about the
 * discovery document.
 */
function toUnreachableError(provider: Provider, error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) return cause;
  return reportUnreachable(provider, 'its discovery document cannot be used.', error);
}

const trimSlash = (text: string) => text.replace(/\/$/, '');
const isPlain = ({ issuer }: Provider) => issuer.startsWith('http:');
