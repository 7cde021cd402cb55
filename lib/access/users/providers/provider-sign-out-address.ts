import { buildSignOutAddress } from '@/lib/access/oidc/sign-out-address';

/** Returns the address where the browser signs out at the provider too; null = there is none. */
export const getProviderSignOutAddress = async ({ provider }: { provider: string | null }): Promise<string | null> =>
  provider === null ? null : buildSignOutAddress(provider);
