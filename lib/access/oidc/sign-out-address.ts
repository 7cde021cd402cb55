import * as client from 'openid-client';
import { config } from '@/lib/runtime/config';
import { connectProvider } from './connect-provider';
import { findProvider } from './read-providers';

/**
 * Returns the address where a browser signs out at the provider too; null = the provider offers none or does not
 * answer.
 */
export async function buildSignOutAddress(providerId: string): Promise<string | null> {
  try {
    const provider = findProvider(providerId);
    if (provider === null) return null;
    const configuration = await connectProvider(provider);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    // No token of the provider is kept, so the client is named by its id; some providers then ask the user to confirm.
    const back = { client_id: provider.clientId, post_logout_redirect_uri: `${config.publicOrigin}/sign-in` };
    return client.buildEndSessionUrl(configuration, back).href;
  } catch {
    // The session in Colonnade has ended, which is what the user requested.
    return null;
  }
}
