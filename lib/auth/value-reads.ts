import { recordAudit } from '@/lib/audit/record';
import { allows, may, PERMISSIONS } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { refusesValues, type ValueRules } from '@/lib/model/value-reason';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { type Tx, transaction } from '@/lib/store/open-store';

/**
 * The one gate in front of bytes of values: previews, archive exports, value samples. Each reading is a row of its own
 * in the audit log, written before the first byte is read: who, of what, on which instance, why. A reason holds for the
 * one reading it was given for.
 */
export interface ValueRead {
  action: 'value.preview' | 'value.export' | 'value.sample';
  instanceId: string;
  /** The key, the deletion or the instance. */
  subject: string;
  reason: string | null;
  /** What else forbids it: how the instance was marked that these values were archived from. */
  rules?: ValueRules | undefined;
  /** A grant on the instance does not suffice. */
  needsOwnRole?: boolean;
  details?: Record<string, unknown>;
}

/** Errors: `forbidden`, `values_forbidden`, `reason_needed`, `not_found`; each refusal is on record. */
export async function recordValueRead(actor: Actor, read: ValueRead): Promise<void> {
  const refused = await transaction((tx) => noteValueRead(tx, actor, read));
  if (refused) throw refused;
}

/** The same within the transaction of another act; what it gives back is to be thrown after that has ended. */
export async function noteValueRead(tx: Tx, actor: Actor, read: ValueRead): Promise<AppError | null> {
  const { action, instanceId, subject, reason, rules } = read;
  const instance = await getProtectedInstance(instanceId, tx);
  if (instance === null && action !== 'value.export')
    return new AppError('not_found', 'There is no such instance.', { id: instanceId });
  // What its archives hold outlives an instance: the person's own role counts, and whether it was production is not
  // known any more.
  const settings = instance?.settings ?? { production: true, valuesForbidden: false };
  const strict = {
    production: settings.production || rules?.production === true,
    valuesForbidden: settings.valuesForbidden || rules?.valuesForbidden === true,
  };
  const allowed =
    instance && !read.needsOwnRole
      ? may(actor, 'value.read', { id: instance.id, ...instance.settings })
      : allows(actor.role, 'value.read');
  const refusal = allowed ? refusesValues(strict, reason) : 'forbidden';
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
