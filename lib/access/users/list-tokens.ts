import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { allows } from '@/lib/model/access';
import type { ApiToken } from '@/lib/model/accounts/api-tokens';
import type { Actor } from '@/lib/model/actor';
import { listApiTokenRows } from '@/lib/store/accounts/api-tokens';
import { toApiToken } from './to-api-token';

/** Returns the actor's tokens, for administrators everyone's, by name. Expired tokens are listed for a while. */
export const listTokens = verb(
  { needs: 'account.manage', on: scopeToOwn },
  async (actor: Actor): Promise<ApiToken[]> => {
    const rows = await listApiTokenRows(allows(actor.role, 'user.manage') ? null : actor.id);
    return Promise.all(rows.map((row) => toApiToken(row)));
  },
);
