import type { ApiToken } from '@/lib/model/accounts/api-tokens';
import type { ApiTokenRow } from '@/lib/store/accounts/api-tokens';
import { getUserRow } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';

/** Returns what may be shown of a token: never its hash. */
export async function toApiToken(row: ApiTokenRow, tx?: Tx): Promise<ApiToken> {
  const { tokenHash: _, userId, ...shown } = row;
  const user = await getUserRow(userId, tx);
  return { ...shown, user: { id: userId, name: user?.name ?? '', disabled: user?.disabled ?? true } };
}
