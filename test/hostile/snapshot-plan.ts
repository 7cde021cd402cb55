import { join } from 'node:path';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import type { DeletionPlan } from '../../lib/model/deletions/deletion-plan';
import { type Consent, PlanRequest } from '../../lib/model/deletions/plan-request';
import { NO_EXPIRY, UNKNOWN } from '../../lib/model/snapshots/facts-page';
import { writeManifest } from '../../lib/snapshots/folder/manifest';
import type { MadeRow } from '../snapshots/made-rows';
import { makeSealed } from '../snapshots/make-snapshot';

export interface KnownKey {
  name: string | Buffer;
  type: string | null;
  /** If absent, the scan did not count the elements. */
  length?: number;
  bytes?: number;
}

export const toRow = ({ name, type, length, bytes }: KnownKey): MadeRow => ({
  bytesOfName: Buffer.from(name as string),
  node: 0,
  db: 0,
  type,
  encoding: 'listpack',
  expireAt: NO_EXPIRY,
  bytes: bytes ?? UNKNOWN,
  length: length ?? UNKNOWN,
  idle: 100,
  freq: UNKNOWN,
});

let made = 0;

/** Makes a plan for every key of a snapshot, whose facts the test chooses. */
export async function planOfSnapshot(
  on: { data: { dir: string }; stand: { instanceId: string } },
  keys: readonly KnownKey[],
  options: Record<string, unknown> = {},
): Promise<DeletionPlan> {
  const snapshotId = `snaphostile${made++}`;
  const ref = await makeSealed(join(on.data.dir, 'snapshots'), snapshotId, keys.map(toRow));
  await writeManifest(ref.dir, { ...ref.manifest, instanceId: on.stand.instanceId });
  return makePlan(
    LOCAL_ADMIN,
    PlanRequest.parse({
      task: 'delete',
      instanceId: on.stand.instanceId,
      selection: { by: 'filter', snapshotId, filter: {}, all: true },
      options: { speed: 'fast', ...options },
    }),
  );
}

/** Confirms the plan with every consent that it needs; returns the id of the job. */
export async function confirmPlan(plan: DeletionPlan, more: Consent[] = []): Promise<string> {
  const { job } = await startDeletion(LOCAL_ADMIN, {
    planId: plan.id,
    confirm: plan.phrase,
    consents: [...plan.consents, ...more],
  });
  return job?.id ?? '';
}
