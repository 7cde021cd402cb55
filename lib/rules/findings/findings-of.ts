import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport, RuleFindingReport } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { evaluate } from '@/lib/rules/evaluate/evaluate';
import { ruleFilterOf } from '@/lib/rules/evaluate/rule-filter';
import { bigkeysOf } from '@/lib/rules/policy/bigkeys-of';
import { type CompiledPolicy, compilePolicy, policyFacts } from '@/lib/rules/policy/compile-policy';
import { type RulesMeta, readMeta } from '@/lib/rules/policy/rules-folder';
import { findingsReport } from '@/lib/rules/report/findings-report';
import { ruleReport } from '@/lib/rules/report/rule-report';
import { config } from '@/lib/runtime/config';
import type { RuledSnapshotRef } from '@/lib/snapshots/key-query/rule-filter';
import { type SnapshotRef, type Source, withSource } from '@/lib/snapshots/query/with-source';
import { cacheAnswer, cachedAnswer } from '@/lib/snapshots/reports/answer-cache';
import { waitForEvaluation } from './wait-for-evaluation';

/**
 * A snapshot that is ready for questions under a policy. The findings of a sealed snapshot under one policy never
 * change.
 */
export interface Prepared {
  ref: RuledSnapshotRef;
  compiled: CompiledPolicy;
  /** Describes the stored evaluation; null while the scan runs. */
  meta: RulesMeta | null;
}

/**
 * Evaluates the snapshot if that was not done yet, and adds the filter by rule to it. A process that serves pages has a
 * worker do it. Errors: `snapshot_checking` if the evaluation takes longer than the caller waits; it continues.
 */
export async function prepare(ref: SnapshotRef, policy: EffectivePolicy, signal?: AbortSignal): Promise<Prepared> {
  const compiled = compilePolicy(policy, policyFacts(ref.manifest));
  const checked = () =>
    config.role === 'web' ? waitForEvaluation(ref, policy, signal) : evaluate(ref, compiled, signal);
  const meta = ref.manifest.state === 'sealed' ? await checked() : null;
  return {
    compiled,
    meta,
    ref: { ...ref, policy, bigkeys: bigkeysOf(policy), ruleFilter: ruleFilterOf(compiled, meta) },
  };
}

/** Like `prepare`, but null if the snapshot has not been evaluated under this policy yet. */
export async function evaluatedOf(
  ref: SnapshotRef,
  policy: EffectivePolicy,
): Promise<(Prepared & { meta: RulesMeta }) | null> {
  const meta = await readMeta(ref.dir, policy.hash, ref.manifest);
  if (meta === null) return null;
  const compiled = compilePolicy(policy, policyFacts(ref.manifest));
  return {
    compiled,
    meta,
    ref: { ...ref, policy, bigkeys: bigkeysOf(policy), ruleFilter: ruleFilterOf(compiled, meta) },
  };
}

export const findingsOf = (
  ref: SnapshotRef,
  policy: EffectivePolicy,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<FindingsReport> =>
  answer(
    ref,
    policy,
    'findings',
    query,
    (source, { compiled, meta }) => findingsReport(source, compiled, meta, query),
    signal,
  );

export const ruleFindingsOf = (
  ref: SnapshotRef,
  policy: EffectivePolicy,
  rule: string,
  query: ReportQuery,
): Promise<RuleFindingReport> =>
  answer(ref, policy, `findings/${rule}`, query, (source, { compiled, meta }) =>
    ruleReport(source, compiled, meta, rule, query),
  );

async function answer<T extends object>(
  ref: SnapshotRef,
  policy: EffectivePolicy,
  name: string,
  query: ReportQuery,
  ask: (source: Source, prepared: Prepared) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const prepared = await prepare(ref, policy, signal);
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
  const recent = prepared.meta === null ? undefined : (cachedAnswer(key) as T | undefined);
  if (recent !== undefined) return recent;
  const report = await withSource(prepared.ref, (source) => ask(source, prepared), { signal });
  if (prepared.meta !== null) cacheAnswer(key, report);
  return report;
}
