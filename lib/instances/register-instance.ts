import { recordAudit } from '@/lib/audit/record';
import { requireRole } from '@/lib/audit/require-role';
import type { Actor } from '@/lib/model/actor';
import type { Instance, InstanceInput } from '@/lib/model/instance';
import { type InstanceRow, insertInstanceRow, toInstance } from '@/lib/store/instances';
import { newId } from '@/lib/store/new-id';
import { transaction } from '@/lib/store/open-store';
import { checkSettings } from './check-settings';
import { NO_SECRETS, patchSecrets } from './secrets-patch';

/** Stores the settings, secrets sealed. Does not connect: an instance that is down may be registered. */
export async function registerInstance(actor: Actor, input: InstanceInput): Promise<Instance> {
  const id = newId();
  const entry = { action: 'instance.register', subject: id, instanceId: id };
  await requireRole(actor, 'admin', entry);
  const { secrets, ...settings } = input;
  const now = Date.now();
  const row: InstanceRow = {
    id,
    settings,
    sealed: patchSecrets(id, NO_SECRETS, secrets),
    createdAt: now,
    updatedAt: now,
  };
  await transaction(async (tx) => {
    await checkSettings(id, settings, tx);
    const endpoints = settings.endpoints.map((e) => `${e.host}:${e.port}`);
    await recordAudit(tx, {
      ...entry,
      actor,
      details: { name: settings.name, topology: settings.topology, endpoints },
    });
    await insertInstanceRow(row, tx);
  });
  return toInstance(row);
}
