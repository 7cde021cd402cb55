import { readProviders } from '@/lib/access/oidc/read-providers';
import type { ShownProvider } from '@/lib/model/accounts/oidc';

/** Returns the identity providers, in the order of the settings. */
export const listProviders = (): ShownProvider[] => readProviders().map(({ id, label }) => ({ id, label }));
