import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { presets } from '@/lib/rules/profiles/presets';
import { runTransaction } from '@/lib/store/open-store';
import { deleteProfileRow, getProfileRow } from '@/lib/store/policies/profiles';
import { listProfileUsers } from './list-profiles';

/**
 * Removes a profile. Errors: `not_found`, `read_only` (preset), `conflict` with the names of the instances that use it.
 */
export const removeProfile = verb(
  { needs: 'profile.manage', on: scopeToAll, action: 'profile.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    const entry = { action: 'profile.remove', subject: id };
    if (presets.has(id)) throw new AppError('read_only', 'A preset cannot be removed.', { id });
    await runTransaction(async (tx) => {
      const row = await getProfileRow(id, tx);
      if (row === null) throw new AppError('not_found', 'There is no such profile.', { id });
      const users = (await listProfileUsers(tx)).get(id) ?? [];
      if (users.length > 0)
        throw new AppError(
          'conflict',
          `${users.map((user) => user.name).join(', ')} ${users.length === 1 ? 'is' : 'are'} checked against this profile. Assign another one first.`,
          { instances: users.map((user) => user.name) },
        );
      await recordAudit(tx, { ...entry, actor, details: { name: row.body.name } });
      await deleteProfileRow(id, tx);
    });
    return { id };
  },
);
