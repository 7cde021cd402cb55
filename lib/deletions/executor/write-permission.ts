/**
 * The flags of an instance and the emergency stop decide whether a command may be sent to the instance now. Both are
 * checked before every command of every action, also of undo and purge: what a person sets while a job runs counts from
 * the next command on, at the latest after REUSE_MS.
 */

import { listAgreedConsents, listConsents } from '@/lib/model/deletions/consents';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { WaitReason } from '@/lib/model/job';
import { log } from '@/lib/runtime/log';
import { getInstanceRow, isWriteUserMissing } from '@/lib/store/instances';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { isEmergencyStopped, refreshEmergencyStop } from './emergency-stop-state';

/** How long the flags of an instance are reused, ms, like the emergency stop. */
const REUSE_MS = 200;

interface InstanceFlags {
  readAt: number;
  isReading: boolean;
  /** null = the instance is no longer registered. */
  current: { readOnly: boolean; readOnlyItself: boolean; production: boolean; writeUserMissing: boolean } | null;
}
const flagsByInstance = new Map<string, InstanceFlags>();

export type Refusal = Omit<WaitReason, 'since'>;

/** Reads the stop and the flags before a job begins, so that they count from the first command on. */
export async function refreshPermission(instanceId: string): Promise<void> {
  await refreshEmergencyStop();
  const flags = await readFlags(instanceId);
  flagsByInstance.set(instanceId, { readAt: Date.now(), isReading: false, current: flags });
}

/**
 * Returns why nothing may be sent now; null = it may. An undo requires no consent and ignores the read-only mark of
 * another instance that names the same server, because it deletes nothing.
 */
export function findWriteRefusal(plan: DeletionPlan, action: 'run' | 'undo' | 'purge'): Refusal | null {
  const { instanceId } = plan;
  if (isEmergencyStopped(instanceId)) return { code: 'panic', params: {} };
  const flags = getFreshFlags(instanceId);
  if (flags === null) return { code: 'instance_removed', params: {} };
  if (action === 'undo' ? flags.readOnlyItself : flags.readOnly) return { code: 'read_only', params: {} };
  if (flags.writeUserMissing) return { code: 'write_credentials_missing', params: {} };
  if (action === 'undo') return null;
  const agreedConsents = listAgreedConsents(plan);
  const missingConsents = listConsents(plan, flags).filter((consent) => !agreedConsents.includes(consent));
  return missingConsents.length > 0
    ? { code: 'consent_missing', params: { consents: missingConsents.join(', ') } }
    : null;
}

async function readFlags(instanceId: string): Promise<InstanceFlags['current']> {
  const row = await getProtectedInstance(instanceId);
  const ownRow = await getInstanceRow(instanceId);
  return (
    row && {
      readOnly: row.settings.readOnly,
      readOnlyItself: ownRow?.settings.readOnly ?? true,
      production: row.settings.production,
      writeUserMissing: isWriteUserMissing(row),
    }
  );
}

function getFreshFlags(instanceId: string): InstanceFlags['current'] {
  const flags = flagsByInstance.get(instanceId);
  // This is called before the first read: unknown does not mean allowed.
  if (!flags) return { readOnly: true, readOnlyItself: true, production: true, writeUserMissing: false };
  const now = Date.now();
  if (now - flags.readAt >= REUSE_MS && !flags.isReading) {
    flags.readAt = now;
    flags.isReading = true;
    readFlags(instanceId)
      .then((read) => {
        flags.current = read;
      })
      .catch((error) => log().warn({ err: error }, 'instance.flags_unreadable'))
      .finally(() => {
        flags.isReading = false;
      });
  }
  return flags.current;
}
