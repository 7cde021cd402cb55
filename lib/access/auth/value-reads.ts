/**
 * The check before any bytes of values are read: previews, archive exports, value samples. Each read has its own row in
 * the audit log, written before the first byte is read: who, what, on which instance, and why. A reason is valid only
 * for the read it was given for.
 */

import { recordAudit } from '@/lib/access/audit/record';
import { may, PERMISSIONS, roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { findValueRefusal, type ValueReadSettings } from '@/lib/model/value-reason';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';

interface ValueRead {
  action: 'value.preview' | 'value.export' | 'value.sample';
  instanceId: string;
  /** The id of the key, the deletion or the instance. */
  subject: string;
  reason: string | null;
  /** Further restrictions: the flags of the instance when these values were archived from it. */
  rules?: ValueReadSettings | undefined;
  /** Whether the user's own role is required: a grant on the instance is not enough. */
  needsOwnRole?: boolean;
  details?: Record<string, unknown>;
}

/**
 * Records a read of values, or throws. Errors: `forbidden`, `values_forbidden`, `reason_needed`, `not_found`. A refusal
 * is recorded, except `not_found`.
 */
export async function recordValueRead(actor: Actor, read: ValueRead): Promise<void> {
  const refused = await runTransaction((tx) => noteValueRead(tx, actor, read));
  if (refused) throw refused;
}

/**
 * Does the same within the transaction of another action. The returned error is to be thrown after that transaction has
 * ended; null = allowed.
 */
export async function noteValueRead(tx: Tx, actor: Actor, read: ValueRead): Promise<AppError | null> {
  const { action, instanceId, subject, reason, rules } = read;
  const instance = await getProtectedInstance(instanceId, tx);
  if (instance === null && action !== 'value.export')
    return new AppError('not_found', 'There is no such instance.', { id: instanceId });
  // Archives can be read after their instance was removed: the user's own role counts then, and production is assumed,
  // because it is no longer known.
  const settings = instance?.settings ?? { production: true, valuesForbidden: false };
  const strict = {
    production: settings.production || rules?.production === true,
    valuesForbidden: settings.valuesForbidden || rules?.valuesForbidden === true,
  };
  const allowed =
    instance && !read.needsOwnRole
      ? may(actor, 'value.read', { id: instance.id, ...instance.settings })
      : roleAllows(actor.role, 'value.read');
  const refusal = allowed ? findValueRefusal(strict, reason) : 'forbidden';
  const details = { ...read.details, reason, production: strict.production };
  const entry = { actor, action, subject, instanceId };
  if (refusal === null) {
    await recordAudit(tx, { ...entry, details });
    return null;
  }
  await recordAudit(tx, { ...entry, outcome: 'refused', details: { ...details, refusal } });
  if (refusal === 'forbidden')
    return new AppError('forbidden', `Reading values needs the role ${PERMISSIONS['value.read']}.`, {
      needs: PERMISSIONS['value.read'],
    });
  if (refusal === 'values_forbidden')
    return new AppError('values_forbidden', 'An administrator has forbidden reading values of this instance.');
  return new AppError('reason_needed', 'This is a production instance: give a reason for reading its values.', {
    field: 'reason',
  });
}
