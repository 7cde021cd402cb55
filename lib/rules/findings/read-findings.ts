import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport, RuleFindingReport } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { evaluate } from '@/lib/rules/evaluate/evaluate';
import { compileRuleFilter } from '@/lib/rules/evaluate/rule-filter';
import { type CompiledPolicy, compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { type RulesMeta, readMeta } from '@/lib/rules/policy/rules-folder';
import { buildFindingsReport } from '@/lib/rules/report/findings-report';
import { buildRuleReport } from '@/lib/rules/report/rule-report';
import { config } from '@/lib/runtime/config';
import type { RuledSnapshotRef } from '@/lib/snapshots/key-query/rule-filter';
import { type SnapshotRef, type Source, withSource } from '@/lib/snapshots/query/with-source';
import { cacheAnswer, getCachedAnswer } from '@/lib/snapshots/reports/answer-cache';
import { waitForEvaluation } from './wait-for-evaluation';

/**
 * A snapshot that is ready for questions under a policy. The findings of a sealed snapshot under one policy never
 * change.
 */
export interface EvaluatedSnapshot {
  ref: RuledSnapshotRef;
  compiled: CompiledPolicy;
  /** Describes the stored evaluation; null while the scan runs. */
  meta: RulesMeta | null;
}

/**
 * Evaluates the snapshot if that was not done yet, and returns it with the filter by rule. A process that serves pages
 * leaves the evaluation to a worker. Errors: `snapshot_checking` if it takes longer than the caller waits; the worker
 * continues.
 */
export async function ensureEvaluated(
  ref: SnapshotRef,
  policy: EffectivePolicy,
  signal?: AbortSignal,
): Promise<EvaluatedSnapshot> {
  const compiled = compilePolicy(policy, toPolicyFacts(ref.manifest));
  const readOrEvaluate = () =>
    config.role === 'web' ? waitForEvaluation(ref, policy, signal) : evaluate(ref, compiled, signal);
  const meta = ref.manifest.state === 'sealed' ? await readOrEvaluate() : null;
  return { compiled, meta, ref: toRuledRef(ref, policy, compiled, meta) };
}

/** Like `ensureEvaluated`, but null if the snapshot has not been evaluated under this policy yet. */
export async function findEvaluated(
  ref: SnapshotRef,
  policy: EffectivePolicy,
): Promise<(EvaluatedSnapshot & { meta: RulesMeta }) | null> {
  const meta = await readMeta(ref.dir, policy.hash, ref.manifest);
  if (meta === null) return null;
  const compiled = compilePolicy(policy, toPolicyFacts(ref.manifest));
  return { compiled, meta, ref: toRuledRef(ref, policy, compiled, meta) };
}

const toRuledRef = (
  ref: SnapshotRef,
  policy: EffectivePolicy,
  compiled: CompiledPolicy,
  meta: RulesMeta | null,
): RuledSnapshotRef => ({
  ...ref,
  policy,
  bigkeys: getPolicyThresholds(policy),
  ruleFilter: compileRuleFilter(compiled, meta),
});

/** Reads the findings of the keys that a query selects. Errors: those of `ensureEvaluated`. */
export const readFindings = (
  ref: SnapshotRef,
  policy: EffectivePolicy,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<FindingsReport> =>
  readCachedReport(
    ref,
    policy,
    'findings',
    query,
    (source, { compiled, meta }) => buildFindingsReport(source, compiled, meta, query),
    signal,
  );

/** Reads where one rule is violated. Errors: those of `ensureEvaluated`; `not_found` if the rule is not enabled. */
export const readRuleFindings = (
  ref: SnapshotRef,
  policy: EffectivePolicy,
  rule: string,
  query: ReportQuery,
): Promise<RuleFindingReport> =>
  readCachedReport(ref, policy, `findings/${rule}`, query, (source, { compiled, meta }) =>
    buildRuleReport(source, compiled, meta, rule, query),
  );

async function readCachedReport<T extends object>(
  ref: SnapshotRef,
  policy: EffectivePolicy,
  name: string,
  query: ReportQuery,
  build: (source: Source, evaluated: EvaluatedSnapshot) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const evaluated = await ensureEvaluated(ref, policy, signal);
  // `endedAt` and `fileBytes` distinguish the seals of a snapshot, which have the same id.
  const { endedAt, fileBytes, id } = ref.manifest;
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  const key = JSON.stringify([
    ref.dir,
    id,
    endedAt,
    fileBytes,
    policy.hash,
    name,
    fields.sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  // Answers about a running scan change, so only those about a sealed snapshot are cached.
  const cached = evaluated.meta === null ? undefined : (getCachedAnswer(key) as T | undefined);
  if (cached !== undefined) return cached;
  const report = await withSource(evaluated.ref, (source) => build(source, evaluated), { signal });
  if (evaluated.meta !== null) cacheAnswer(key, report);
  return report;
}
