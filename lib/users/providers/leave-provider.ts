import { signOutAddress } from '@/lib/oidc/sign-out-address';

/** Where the browser goes after signing out here, to sign out there too; null = nowhere. */
export const leaveProvider = async ({ provider }: { provider: string | null }): Promise<string | null> =>
  provider === null ? null : signOutAddress(provider);
