import { recordAudit } from '@/lib/audit/record';
import { verb } from '@/lib/auth/verb';
import { ofInstance } from '@/lib/auth/verb-scopes';
import { destinationPolicy } from '@/lib/credentials/destination-policy';
import { openRow } from '@/lib/credentials/open-target';
import type { Actor } from '@/lib/model/actor';
import { AppError, toErrorBody } from '@/lib/model/errors';
import type { Instance, WriteUserInput } from '@/lib/model/servers/instance';
import { signInAsWriteUser } from '@/lib/redis/connection/write-user';
import { toInstance, updateInstanceRow } from '@/lib/store/instances';
import { transaction } from '@/lib/store/open-store';
import { instanceRowOrThrow } from './get-instance';
import { patchSecrets } from './secrets-patch';
import { withSession } from './with-session';

/**
 * From now on keys of the instance are changed as this user, and what only looks goes on as the other one. Every master
 * is signed in to first: what a server refuses is not stored. Errors: `forbidden`, `not_found`,
 * `write_credentials_refused`, `conflict` (the connection was edited meanwhile), and those of connecting.
 */
export const setWriteUser = verb(
  { needs: 'instance.manage', on: ofInstance, action: 'instance.set_write_user', fresh: true },
  async (actor: Actor, id: string, input: WriteUserInput): Promise<Instance> => {
    const username = input.username || null;
    const entry = { action: 'instance.set_write_user', subject: id, instanceId: id, actor };
    const before = await instanceRowOrThrow(id);
    const user = { separateWriteUser: true, writeUsername: username };
    const target = { ...openRow(before), ...user, writePassword: input.password };
    try {
      await withSession(target, destinationPolicy(id), signInAsWriteUser);
    } catch (error) {
      const details = { username, code: toErrorBody(error).code };
      await transaction((tx) => recordAudit(tx, { ...entry, outcome: 'failed', details }));
      throw error;
    }
    return transaction(async (tx) => {
      const now = await instanceRowOrThrow(id, tx);
      // It was tried on the servers of before: it belongs to those.
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
 * Forgets the password of that user: nothing of the instance is changed until it is given again. What runs stops before
 * its next command and waits for a person. Without a sign-in just now, for it only takes away.
 */
export const withdrawWriteUser = verb(
  { needs: 'instance.manage', on: ofInstance, action: 'instance.withdraw_write_user' },
  async (actor: Actor, id: string): Promise<Instance> =>
    transaction(async (tx) => {
      const before = await instanceRowOrThrow(id, tx);
      if (before.sealed.writePassword === null) return toInstance(before);
      const sealed = patchSecrets(id, before.sealed, { writePassword: null });
      const row = { ...before, sealed, updatedAt: Math.max(Date.now(), before.updatedAt + 1) };
      const details = { username: before.settings.writeUsername ?? null };
      await recordAudit(tx, {
        action: 'instance.withdraw_write_user',
        subject: id,
        instanceId: id,
        actor,
        details,
      });
      await updateInstanceRow(row, tx);
      return toInstance(row);
    }),
);
