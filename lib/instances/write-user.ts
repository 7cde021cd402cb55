import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openRow } from '@/lib/access/credentials/open-target';
import type { Actor } from '@/lib/model/actor';
import { AppError, toErrorBody } from '@/lib/model/errors';
import type { Instance, WriteUserInput } from '@/lib/model/servers/instance';
import { signInAsWriteUser } from '@/lib/redis/connection/write-user';
import { toInstance, updateInstanceRow } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { requireInstanceRow } from './get-instance';
import { patchSecrets } from './secrets-patch';
import { withSession } from './with-session';

/**
 * Sets the user that changes keys of the instance; reading continues as the other user. It first signs in to every
 * master, so that refused credentials are not stored. Errors: `forbidden`, `not_found`, `write_credentials_refused`,
 * `conflict` (the connection was edited in the meantime), and those of connecting.
 */
export const setWriteUser = verb(
  { needs: 'instance.manage', on: scopeToInstance, action: 'instance.set_write_user', fresh: true },
  async (actor: Actor, id: string, input: WriteUserInput): Promise<Instance> => {
    const username = input.username || null;
    const entry = { action: 'instance.set_write_user', subject: id, instanceId: id, actor };
    const before = await requireInstanceRow(id);
    const user = { separateWriteUser: true, writeUsername: username };
    const target = { ...openRow(before), ...user, writePassword: input.password };
    try {
      await withSession(target, readDestinationPolicy(id), signInAsWriteUser);
    } catch (error) {
      const details = { username, code: toErrorBody(error).code };
      await runTransaction((tx) => recordAudit(tx, { ...entry, outcome: 'failed', details }));
      throw error;
    }
    return runTransaction(async (tx) => {
      const now = await requireInstanceRow(id, tx);
      // The credentials were tried on the servers of the earlier version and belong to those.
      if (now.updatedAt !== before.updatedAt)
        throw new AppError('conflict', 'The instance was edited meanwhile. Look at it, then try again.', {
          instance: now.settings.name,
        });
      const settings = { ...now.settings, ...user };
      const sealed = patchSecrets(id, now.sealed, { writePassword: input.password });
      const row = { ...now, settings, sealed, updatedAt: Math.max(Date.now(), now.updatedAt + 1) };
      await recordAudit(tx, { ...entry, details: { username } });
      await updateInstanceRow(row, tx);
      return toInstance(row);
    });
  },
);

/**
 * Removes the password of the write user: no key of the instance is changed until it is given again. Running jobs stop
 * before their next write and wait for a person. No recent sign-in is needed, because this only removes a permission.
 */
export const withdrawWriteUser = verb(
  { needs: 'instance.manage', on: scopeToInstance, action: 'instance.withdraw_write_user' },
  async (actor: Actor, id: string): Promise<Instance> =>
    runTransaction(async (tx) => {
      const before = await requireInstanceRow(id, tx);
      if (before.sealed.writePassword === null) return toInstance(before);
      const sealed = patchSecrets(id, before.sealed, { writePassword: null });
      const row = { ...before, sealed, updatedAt: Math.max(Date.now(), before.updatedAt + 1) };
      const details = { username: before.settings.writeUsername ?? null };
      const entry = { action: 'instance.withdraw_write_user', subject: id, instanceId: id, actor };
      await recordAudit(tx, { ...entry, details });
      await updateInstanceRow(row, tx);
      return toInstance(row);
    }),
);
