import type { AlertRule } from '@/lib/model/alerts/alert';
import { AppError } from '@/lib/model/errors';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { listAlertRuleRows } from '@/lib/store/alerts/alert-rules';
import type { StoreEvent } from '@/lib/store/events';
import { getInstanceRow } from '@/lib/store/instances';
import { findJob, readStoreNow } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { applyJudgement, type Judgement } from './apply-judgement';
import { type JudgedSnapshot, judgeSnapshot, judgeWhole } from './judge-snapshot';

const SNAPSHOT_KINDS: ReadonlySet<string> = new Set(['threshold', 'newRule', 'newBigkey', 'stormAhead', 'partial']);

/** Judges an evaluated snapshot and an ended scan by the rules of alerts. It may be called again for the same event. */
export async function handleAlertEvent(event: StoreEvent, signal: AbortSignal): Promise<void> {
  if (event.instanceId === null) return;
  const rules = (await listAlertRuleRows()).filter(
    ({ on, instanceId }) => on && (instanceId === null || instanceId === event.instanceId),
  );
  if (event.kind === 'snapshot.evaluated')
    await judgeBySnapshot(
      event.instanceId,
      event.subject,
      rules.filter(({ kind }) => SNAPSHOT_KINDS.has(kind)),
      signal,
    );
  if (event.kind === 'job.ended' && event.details.kind === 'scan')
    await judgeEndedScan(
      event.instanceId,
      event.subject,
      rules.filter(({ kind }) => kind === 'scanFailed'),
    );
}

async function judgeBySnapshot(instanceId: string, id: string, rules: AlertRule[], signal: AbortSignal): Promise<void> {
  if (rules.length === 0) return;
  const snapshot = await openJudgedSnapshot(instanceId, id, signal);
  const instance = await getInstanceRow(instanceId);
  if (snapshot === null || instance === null) return;
  const about = { instance: { id: instanceId, name: instance.settings.name }, snapshotId: id };
  for (const rule of rules) {
    const answer = await judgeSnapshot(rule, snapshot);
    if (answer !== null) await applyAll([{ rule, ...about, ...answer }]);
  }
}

/** null: it is about a part of the keyspace, a newer one has taken its place, or it is gone. */
async function openJudgedSnapshot(instanceId: string, id: string, signal: AbortSignal): Promise<JudgedSnapshot | null> {
  const whole = (await listSnapshotRows(instanceId)).filter(({ state, isPart }) => state === 'sealed' && !isPart);
  const [row, ...earlier] = whole;
  if (row?.id !== id) return null;
  const ref = await bringSnapshot(id, signal);
  if (ref === null) return null;
  const complete = earlier.find(({ partial }) => !partial);
  const previous = row.partial || complete === undefined ? null : await bringSnapshot(complete.id, signal);
  return { row, ref, previous, policy: await getEffectivePolicy(instanceId), now: await readStoreNow(), signal };
}

/** null: it was removed. */
async function bringSnapshot(id: string, signal: AbortSignal): Promise<SnapshotRef | null> {
  try {
    await bringKeys(id, { signal, maxWaitMs: null });
    const dir = getSnapshotFolder(id);
    return { dir, manifest: await readManifest(dir), signal };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

async function judgeEndedScan(instanceId: string, jobId: string, rules: AlertRule[]): Promise<void> {
  const job = rules.length === 0 ? null : await findJob(jobId);
  const instance = await getInstanceRow(instanceId);
  // A scan that a person cancelled says nothing.
  if (job === null || instance === null || job.state === 'cancelled') return;
  const judged = job.state === 'failed' ? [judgeWhole('bad', { reason: job.error?.code ?? null })] : [];
  const about = { instance: { id: instanceId, name: instance.settings.name }, snapshotId: jobId, judged };
  await applyAll(rules.map((rule) => ({ rule, ...about })));
}

/** Applies judgements, except those of a rule that was changed or switched off meanwhile: its next one counts. */
export async function applyAll(judgements: readonly Judgement[]): Promise<void> {
  if (judgements.length === 0) return;
  const now = await readStoreNow();
  await runTransaction(async (tx) => {
    const rules = new Map((await listAlertRuleRows(tx)).map((rule) => [rule.id, rule]));
    for (const judgement of judgements) {
      const rule = rules.get(judgement.rule.id);
      if (rule?.on && rule.updatedAt === judgement.rule.updatedAt) await applyJudgement(judgement, now, tx);
    }
  });
}
