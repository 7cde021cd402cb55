import { signOutAddress } from '@/lib/access/oidc/sign-out-address';

/** Returns the address where the browser signs out at the provider too; null = there is none. */
export const leaveProvider = async ({ provider }: { provider: string | null }): Promise<string | null> =>
  provider === null ? null : signOutAddress(provider);
