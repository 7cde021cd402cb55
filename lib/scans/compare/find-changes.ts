import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { Changes } from '@/lib/rules/compare/changes';
import { readChanges } from '@/lib/rules/compare/changes-file';
import { type ChangeScope, toChangeScope } from '@/lib/rules/compare/changes-scope';
import { comparePart, findChanges, recallPart, rememberPart } from '@/lib/rules/compare/find-changes';
import { evaluate } from '@/lib/rules/evaluate/evaluate';
import { compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { getRulesFolder } from '@/lib/rules/policy/rules-folder';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { findCompared, openCompared } from './open-compared';
import { logComparisonFailure, startComparison } from './start-comparison';

/**
 * Whether a comparison is about all keys. Its result is kept in a file; that of a part of the keys is kept in memory.
 */
export const coversAllKeys = (scope: ChangeScope): boolean => Object.keys(scope).length === 0;

/**
 * Returns what is new and fixed since another sealed snapshot (`since`: open-compared.ts), under the same policy. A
 * comparison takes seconds per million keys, so the first request starts it and its result is kept. `changes` is null
 * until then. Both are null when the query selects keys by something other than their names (changes-scope.ts).
 */
export async function findChangesSince(
  manifest: SnapshotManifest,
  policy: EffectivePolicy,
  query: ReportQuery,
  since: string,
): Promise<{ previous: SnapshotSummary | null; changes: Changes | null }> {
  const scope = toChangeScope(query);
  const previous = scope === null ? null : await findCompared(manifest, since);
  if (scope === null || previous === null) return { previous, changes: null };
  // A comparison that failed is no reason to refuse the findings.
  const changes = await readOrStartChanges(manifest, previous.id, policy, scope).catch((error) => {
    logComparisonFailure(manifest.id, error);
    return null;
  });
  return { previous, changes };
}

/** Returns the changes of findings; null: they are being computed. Errors: that with which the comparison has failed. */
export async function readOrStartChanges(
  manifest: SnapshotManifest,
  previousId: string,
  policy: EffectivePolicy,
  scope: ChangeScope,
): Promise<Changes | null> {
  const dir = getSnapshotFolder(manifest.id);
  const known = coversAllKeys(scope)
    ? await readChanges(getRulesFolder(dir, policy.hash), previousId)
    : recallPart(dir, previousId, policy.hash, scope);
  if (known !== null) return known;
  const wish = { kind: 'compare' as const, snapshotId: manifest.id, previousId, policy, scope };
  const answer = await startComparison<Changes>(
    wish,
    () => compareBothFindings(manifest.id, previousId, policy, scope),
    {
      // One part at a time, so that requests for many parts cannot keep a worker busy. Pages repeat the request.
      alone: !coversAllKeys(scope),
    },
  );
  if (answer !== null) rememberPart(dir, previousId, policy.hash, scope, answer);
  return answer;
}

/** Adds to a finding about keys how many keys are new, fixed and gone. Other findings stay as they are. */
export function addKeyChanges(finding: RuleFinding, changes: Changes | null): RuleFinding {
  if (changes === null || finding.kind !== 'key') return finding;
  const { newKeys, fixedKeys, goneKeys } = changes[finding.rule] ?? { newKeys: 0, fixedKeys: 0, goneKeys: 0 };
  return { ...finding, change: { newKeys, fixedKeys, goneKeys } };
}

/**
 * Describes the snapshot that was compared with. Its score is null unless it was evaluated under the same policy and the
 * query is about all keys, because scores of other policies or of a part cannot be compared.
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

/** Compares the findings of two snapshots, all keys or those of `scope`. Downloads the files it needs. */
export async function compareBothFindings(
  id: string,
  previousId: string,
  policy: EffectivePolicy,
  scope: ChangeScope,
): Promise<Changes> {
  for (const one of [id, previousId]) await bringKeys(one, { maxWaitMs: null });
  const [current, previous] = [await openCompared(id), await openCompared(previousId)];
  if (coversAllKeys(scope)) {
    // The changes are kept next to the evaluation under the same policy.
    await evaluate(current, compilePolicy(policy, toPolicyFacts(current.manifest)));
    return findChanges(current, previous, policy);
  }
  return comparePart(current, previous, policy, scope);
}
