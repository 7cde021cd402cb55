import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { Changes } from '@/lib/rules/compare/changes';
import { readChanges } from '@/lib/rules/compare/changes-file';
import { type ChangeScope, toChangeScope } from '@/lib/rules/compare/changes-scope';
import { comparePart, findChanges, recallPart, rememberPart } from '@/lib/rules/compare/find-changes';
import { getRulesFolder } from '@/lib/rules/policy/rules-folder';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { makeWish, readWish } from '@/lib/store/wishes';

/**
 * Whether a comparison is about all keys. Its result is kept in a file; that of a part of the keys is kept in memory.
 */
export const coversAllKeys = (scope: ChangeScope): boolean => Object.keys(scope).length === 0;

/** After a failed comparison, pages do not start another one for this long, in ms. */
const RETRY_AFTER_MS = 10 * 60_000;

/**
 * Returns what is new and fixed since the previous sealed snapshot, under the same policy. A comparison takes seconds
 * per million keys, so the first request starts it and its result is kept. `changes` is null until then. Both are null
 * when the query selects keys by something other than their names (changes-scope.ts).
 */
export async function findChangesSincePrevious(
  manifest: SnapshotManifest,
  policy: EffectivePolicy,
  query: ReportQuery = {},
): Promise<{ previous: SnapshotSummary | null; changes: Changes | null }> {
  const scope = toChangeScope(query);
  const previous = scope === null ? null : await findSnapshotBefore(manifest);
  if (scope === null || previous === null) return { previous, changes: null };
  const dir = getSnapshotFolder(manifest.id);
  const changes = coversAllKeys(scope)
    ? await readChanges(getRulesFolder(dir, policy.hash), previous.id)
    : recallPart(dir, previous.id, policy.hash, scope);
  return { previous, changes: changes ?? (await startComparison(manifest, previous.id, policy, scope)) };
}

/**
 * Starts the comparison in this process or, in a process that only serves pages, leaves it to a worker and takes over
 * its answer about a part. null: it has not ended or has failed.
 */
async function startComparison(
  manifest: SnapshotManifest,
  previousId: string,
  policy: EffectivePolicy,
  scope: ChangeScope,
): Promise<Changes | null> {
  const logFailure = (error: unknown) => {
    log().warn({ snapshot: manifest.id, err: error }, 'scan.comparison_failed');
    return null;
  };
  if (config.role !== 'web') {
    void compareSnapshots(manifest, previousId, policy, scope).catch(logFailure);
    return null;
  }
  const wish = { kind: 'compare' as const, snapshotId: manifest.id, previousId, policy, scope };
  try {
    // One part at a time, so that requests for many parts cannot keep a worker busy. Pages repeat the request.
    await makeWish(wish, { againMs: RETRY_AFTER_MS, alone: !coversAllKeys(scope) });
    const answer = ((await readWish(wish))?.answer ?? null) as Changes | null;
    if (answer !== null) rememberPart(getSnapshotFolder(manifest.id), previousId, policy.hash, scope, answer);
    return answer;
  } catch (error) {
    return logFailure(error);
  }
}

/** Adds to a finding about keys how many keys are new, fixed and gone. Other findings stay as they are. */
export function addKeyChanges(finding: RuleFinding, changes: Changes | null): RuleFinding {
  if (changes === null || finding.kind !== 'key') return finding;
  const { newKeys, fixedKeys, goneKeys } = changes[finding.rule] ?? { newKeys: 0, fixedKeys: 0, goneKeys: 0 };
  return { ...finding, change: { newKeys, fixedKeys, goneKeys } };
}

/**
 * Describes the previous snapshot. Its score is null unless it was evaluated under the same policy and the query is
 * about all keys, because scores of other policies or of a part cannot be compared.
 */
export function describePrevious(
  previous: SnapshotSummary | null,
  policyHash: string,
  query: ReportQuery = {},
): FindingsReport['previous'] {
  if (previous === null || previous.endedAt === null) return null;
  const scope = toChangeScope(query);
  const isComparable = scope !== null && coversAllKeys(scope) && previous.policyHash === policyHash;
  return {
    snapshotId: previous.id,
    endedAt: previous.endedAt,
    score: isComparable ? (previous.score ?? null) : null,
    mandatoryKeys: isComparable ? (previous.mandatoryKeys ?? null) : null,
  };
}

/**
 * Returns the newest earlier snapshot of the whole keyspace. null if `manifest` is not of the whole keyspace itself:
 * compared with a part, every key that one of the two excluded would be new or gone.
 */
async function findSnapshotBefore(manifest: SnapshotManifest): Promise<SnapshotSummary | null> {
  const { instanceId, state, coverage, options } = manifest;
  if (state !== 'sealed' || instanceId === null || coverage.partial || isLimitedScan(options)) return null;
  const newestFirst = await listSnapshotRows(instanceId);
  const isEarlierWhole = (row: SnapshotSummary) =>
    row.state === 'sealed' && !row.partial && !row.isPart && row.startedAt < manifest.startedAt;
  return newestFirst.find((row) => row.id !== manifest.id && isEarlierWhole(row)) ?? null;
}

/** Compares a snapshot with the previous one, all keys or those of `scope`. Downloads the files it needs. */
export async function compareSnapshots(
  manifest: SnapshotManifest,
  previousId: string,
  policy: EffectivePolicy,
  scope: ChangeScope,
): Promise<Changes> {
  for (const id of [manifest.id, previousId]) await bringKeys(id, { maxWaitMs: null });
  const previousDir = getSnapshotFolder(previousId);
  const [current, previous] = [
    { dir: getSnapshotFolder(manifest.id), manifest },
    { dir: previousDir, manifest: await readManifest(previousDir) },
  ];
  return coversAllKeys(scope) ? findChanges(current, previous, policy) : comparePart(current, previous, policy, scope);
}
