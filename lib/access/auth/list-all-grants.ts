import type { Grant } from '@/lib/model/access';
import { listMemberGrantRows } from '@/lib/store/accounts/teams';
import { listGrantRows } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';

/** Returns all grants of a user: their own, and those of their teams. The highest counts (lib/model/access.ts). */
export const listAllGrants = async (userId: string, tx?: Tx): Promise<Grant[]> => [
  ...(await listGrantRows(userId, tx)),
  ...(await listMemberGrantRows(userId, tx)),
];
