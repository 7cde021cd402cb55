import type { ShownProvider } from '@/lib/model/accounts/oidc';
import { readProviders } from '@/lib/oidc/read-providers';

/** Returns the identity providers, in the order of the settings. */
export const listProviders = (): ShownProvider[] => readProviders().map(({ id, label }) => ({ id, label }));
