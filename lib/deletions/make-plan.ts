import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import { readMeasuredSpeeds } from '@/lib/deletions/plan/measured-speed';
import { listPlanCommands, listPlanNotices } from '@/lib/deletions/plan/plan-notices';
import { readServerConstraints } from '@/lib/deletions/plan/server-constraints';
import { takePlanSnapshot } from '@/lib/deletions/plan/take-plan-snapshot';
import { withPlanTurn } from '@/lib/deletions/plan/with-plan-turn';
import type { Actor } from '@/lib/model/actor';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { PlanRequest, Selection } from '@/lib/model/deletions/plan-request';
import { AppError } from '@/lib/model/errors';
import { openSession } from '@/lib/redis/connection/connect';
import type { RedisSession } from '@/lib/redis/connection/session';
import { canWriteAs } from '@/lib/redis/connection/write-user';
import { describeClockSkew } from '@/lib/redis/info/clock-skew';
import { readIdentity } from '@/lib/redis/server/read-identity';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { config } from '@/lib/runtime/config';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { isMissingFilesError } from '@/lib/snapshots/folder/missing-files';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { bringSnapshot } from '@/lib/snapshots/remote/bring-snapshot';
import { deleteDeletion, insertDeletion } from '@/lib/store/deletions/deletions';
import { generateId } from '@/lib/store/generate-id';
import type { InstanceRow } from '@/lib/store/instances';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { getSnapshotRow } from '@/lib/store/snapshots';
import { readSelectedKeys } from './plan/read-selected-keys';

/** How many names of a selection are checked for permissions. */
const MAX_SAMPLED_NAMES = 16;

/** Returns some names of a selection with different prefixes: the permissions of a user depend on the names of keys. */
async function sampleNames(instanceId: string, selection: Selection, signal?: AbortSignal): Promise<Buffer[]> {
  const namesByPrefix = new Map<string, Buffer>();
  for await (const page of readSelectedKeys(instanceId, selection, signal)) {
    for (const key of page) {
      if ('tooLong' in key) continue;
      const firstColon = key.raw.indexOf(':');
      const prefix = key.raw.toString('latin1', 0, firstColon < 0 ? undefined : firstColon);
      if (!namesByPrefix.has(prefix)) namesByPrefix.set(prefix, key.raw);
      if (namesByPrefix.size >= MAX_SAMPLED_NAMES) break;
    }
    break;
  }
  return [...namesByPrefix.values()];
}

/** Lists the masters whose clocks differ from that of this machine. */
const listClockNotices = (session: RedisSession): CodedMessage[] =>
  session.nodes.flatMap(({ role, address, clockSkewMs }) => {
    const skew = role === 'master' ? describeClockSkew(clockSkewMs) : null;
    return skew ? [createCodedMessage(skew.code, { address, seconds: skew.seconds })] : [];
  });

/**
 * Makes a plan: which keys are deleted, how each of them, at what cost, and what clients notice. It sends nothing that
 * changes a key. The list is fixed here; before each write to Redis the key is compared with it. `signal` aborts when
 * the caller is gone; nothing of the plan is kept then. Errors: `forbidden`, `not_found`, `too_many_keys`,
 * `nothing_to_do`, `busy` (others are being made), and those of connecting.
 */
export const makePlan = verb(
  {
    needs: 'deletion.run',
    on: ({ instanceId }: PlanRequest) => scopeToInstance(instanceId),
    action: 'deletion.plan',
    subject: ({ instanceId }: PlanRequest) => instanceId,
  },
  async (actor: Actor, request: PlanRequest, signal?: AbortSignal): Promise<DeletionPlan> => {
    return planInTurn(actor, request, { isRecorded: true, signal });
  },
);

/**
 * Makes the same plan again, to compare it with the one that is being confirmed. This is not an action of a person, so
 * it is not in the audit log.
 */
export function makeUnrecordedPlan(actor: Actor, request: PlanRequest): Promise<DeletionPlan> {
  return planInTurn(actor, request, { isRecorded: false, signal: undefined });
}

interface PlanOptions {
  isRecorded: boolean;
  signal: AbortSignal | undefined;
}

async function planInTurn(actor: Actor, request: PlanRequest, options: PlanOptions): Promise<DeletionPlan> {
  const { instanceId } = request;
  const instance = await getProtectedInstance(instanceId);
  if (!instance) throw new AppError('not_found', 'There is no such instance.', { instance: instanceId });
  const { selection } = request;
  const snapshotId = selection.by === 'filter' ? selection.snapshotId : null;
  const snapshot = snapshotId === null ? null : await getSnapshotRow(snapshotId);
  if (snapshot !== null && snapshot.instanceId !== instanceId)
    throw new AppError('not_found', 'There is no such snapshot.', { id: snapshot.id });
  return withPlanTurn(instanceId, options.signal, () =>
    buildPlan(actor, request, instance, options).catch(async (error: unknown) => {
      if (error instanceof WriteFailure) throw error.toAppError();
      throw snapshotId === null ? error : await explainMissingSnapshot(error, snapshotId, snapshot?.state === 'live');
    }),
  );
}

async function buildPlan(
  actor: Actor,
  request: PlanRequest,
  instance: InstanceRow,
  { isRecorded, signal }: PlanOptions,
): Promise<DeletionPlan> {
  const id = generateId();
  const { instanceId, task, selection, options } = request;
  const session = await openSession(
    await openTarget(instanceId, { forWriting: true }),
    readDestinationPolicy(instanceId),
    {
      clientName: 'colonnade-plan',
      ...(signal && { signal }),
    },
  );
  try {
    const server = await readIdentity(session);
    // The flags are read after connecting, because the connection shows whether another instance names the same server.
    const { settings } = (await getProtectedInstance(instanceId)) ?? instance;
    const { production, name, readOnly, valuesForbidden } = settings;
    const constraints = await readServerConstraints(session, {
      names: await sampleNames(instanceId, selection, signal),
      mayWrite: !readOnly,
    });
    const measuredSpeeds = await readMeasuredSpeeds(instanceId);
    const snapshot = await takePlanSnapshot({ id, request, session, constraints, measured: measuredSpeeds, signal });
    const { modes, types, totals, consents } = snapshot;
    if (totals.keys === 0)
      throw new AppError('nothing_to_do', 'No selected key can be deleted: each is gone, protected or excluded.', {
        reasons: snapshot.excluded.map(({ reason }) => reason.code),
      });
    if (production) consents.add('production');
    const now = Date.now();
    const plan: DeletionPlan = {
      id,
      task,
      instanceId,
      instanceName: name,
      production,
      values: { production, valuesForbidden },
      selection,
      snapshotAt: await readSnapshotTime(selection.snapshotId ?? null, instanceId),
      options,
      createdAt: now,
      createdBy: actor.name,
      createdById: actor.id,
      server,
      lookedAt: now,
      totals: { ...totals, instanceKeys: constraints.keys },
      estimate: snapshot.estimate,
      prices: snapshot.prices,
      commands: listPlanCommands(task, modes, types, constraints),
      notices: [
        ...(readOnly ? [createCodedMessage('read_only')] : []),
        ...(canWriteAs(session.target) ? [] : [createCodedMessage('write_credentials_missing')]),
        ...listPlanNotices(task, modes, types, constraints),
        ...listClockNotices(session),
        ...snapshot.notices,
      ],
      hazards: snapshot.hazards,
      excluded: snapshot.excluded,
      consents: [...consents],
      protect: config.protectedPatterns,
      phrase: name,
      expiries: snapshot.expiries,
    };
    signal?.throwIfAborted();
    await runTransaction(async (tx) => {
      if (isRecorded) await recordPlan(actor, plan, tx);
      await insertDeletion(plan, tx);
    });
    return plan;
  } catch (error) {
    await deleteDeletion(id);
    throw error;
  } finally {
    await session.close();
  }
}

/** Records in the audit log who planned what. */
export async function recordPlan(actor: Actor, { id, instanceId, task, totals }: DeletionPlan, tx: Tx): Promise<void> {
  const { keys, elements, bytes } = totals;
  const details = { task, keys, elements, bytes };
  await recordAudit(tx, { action: 'deletion.plan', subject: id, instanceId, actor, details });
}

/** Returns when the snapshot ended, ms; null = the keys were not chosen from a snapshot, or the snapshot is gone. */
async function readSnapshotTime(snapshotId: string | null, instanceId: string): Promise<number | null> {
  if (snapshotId === null) return null;
  const row = await getSnapshotRow(snapshotId);
  // A snapshot of another instance is treated as if it did not exist, so that its existence is not revealed.
  if (row !== null && row.instanceId !== instanceId) return null;
  await bringSnapshot(snapshotId, { maxWaitMs: null }).catch(() => {});
  const manifest = await readManifest(getSnapshotFolder(snapshotId)).catch(() => null);
  return manifest?.endedAt ?? null;
}

/**
 * Explains why files of a snapshot disappeared while a plan read them: its row is deleted before its files. Other
 * errors are returned as they are.
 */
async function explainMissingSnapshot(error: unknown, id: string, wasLive: boolean): Promise<unknown> {
  if (!isMissingFilesError(error)) return error;
  if ((await getSnapshotRow(id)) === null)
    return new AppError(
      'not_found',
      'The snapshot was removed while the plan was made: its scan was cancelled, somebody deleted it, or it has outlived the retention setting. Plan with another snapshot.',
      { id },
      { cause: error },
    );
  if (!wasLive) return error;
  return new AppError(
    'conflict',
    'The scan went on while the plan was made, and its files were replaced. Make the plan again.',
    { id },
    { cause: error },
  );
}
