import path from 'node:path';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type {
  ComparedGroups,
  ComparedGroupsQuery,
  ComparedKeys,
  ComparedKeysQuery,
  ComparedSide,
  Comparison,
  ComparisonNote,
  ComparisonQuery,
  RuleChange,
  SumTotals,
} from '@/lib/model/comparison/comparison';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';
import type { Changes } from '@/lib/rules/compare/changes';
import { toChangeScope } from '@/lib/rules/compare/changes-scope';
import { rollUpMissing } from '@/lib/rules/findings/roll-up-soon';
import { compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import type { ComparedRef } from '@/lib/snapshots/compare/common-part';
import {
  type ComparedSums,
  compareGroups,
  countChanges,
  listChanged,
  type NameScope,
} from '@/lib/snapshots/compare/compare-groups';
import { listChangedKeys } from '@/lib/snapshots/compare/compare-keys';
import { bringKeysBelow } from '@/lib/snapshots/remote/bring-snapshot';
import { cacheAnswer, getCachedAnswer } from '@/lib/snapshots/reports/answer-cache';
import { buildNextCursor, parseOffset } from '@/lib/snapshots/reports/offset-cursor';
import { readOrStartChanges } from './find-changes';
import { readOrStartKeyDifferences } from './find-key-differences';
import { type BothSnapshots, queryBoth } from './query-both';

/**
 * Compares a snapshot with another one, which may be of another instance: totals and the number of changed groups at
 * once, keys and findings as soon as a worker has compared them. Errors: those of `queryBoth`.
 */
export const compareSnapshots = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    { with: since, ...query }: ComparisonQuery,
    signal?: AbortSignal,
  ): Promise<Comparison> =>
    queryBoth(
      actor,
      id,
      since,
      async (both) => {
        const { now, before, common, policy } = both;
        const scope = toScope(query);
        const sums = await readSums(both, scope);
        const differences = await readOrStartKeyDifferences(now, before, now.bigkeys!, scope);
        const changes = await readOrStartChanges(now.manifest, before.manifest.id, policy, toChangeScope(scope)!);
        return {
          now: describeSide(now, sums.totals.now),
          before: describeSide(before, sums.totals.before),
          notes: [...common.notes, ...listPolicyNotes(both)],
          groups: { prefix: countChanges(sums.groups.prefix), template: countChanges(sums.groups.template) },
          keys: differences?.changes ?? null,
          rules: changes && listRuleChanges(changes, policy, now),
        };
      },
      signal,
    ),
);

const DEFAULT_LIMIT = 100;

/** Lists the prefixes or templates that differ, the largest difference in memory first. Errors: those of `queryBoth`. */
export const listComparedGroups = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    { with: since, by, change, limit = DEFAULT_LIMIT, cursor, ...query }: ComparedGroupsQuery,
    signal?: AbortSignal,
  ): Promise<ComparedGroups> =>
    queryBoth(
      actor,
      id,
      since,
      async (both) => {
        const rows = listChanged((await readSums(both, toScope(query))).groups[by], change);
        const offset = parseOffset(cursor);
        const shown = rows.slice(offset, offset + limit);
        return { rows: shown, total: rows.length, nextCursor: buildNextCursor(offset, shown.length, rows.length) };
      },
      signal,
    ),
);

/**
 * Lists the keys of one change in the order of names. `waiting`: the comparison has not ended yet, ask again. Errors:
 * those of `queryBoth`.
 */
export const listComparedKeys = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    { with: since, change, big, limit, cursor, ...query }: ComparedKeysQuery,
    signal?: AbortSignal,
  ): Promise<ComparedKeys> =>
    queryBoth(
      actor,
      id,
      since,
      async ({ now, before, common }) => {
        const scope = toScope(query);
        const differences = await readOrStartKeyDifferences(now, before, now.bigkeys!, scope);
        if (differences === null) return { rows: [], nextCursor: null, waiting: true };
        for (const { manifest } of [now, before]) await bringKeysBelow(manifest.id, scope.prefix, { signal });
        const asked = { ...scope, change, big, limit, cursor };
        return { ...(await listChangedKeys(now, before, common, differences.ranges, asked)), waiting: false };
      },
      signal,
    ),
);

/** The scope without fields that limit nothing, so that equal scopes have equal keys. */
const toScope = ({ prefix, template }: NameScope): NameScope => ({
  ...(prefix && { prefix }),
  ...(template && { template }),
});

async function readSums({ now, before, common }: BothSnapshots, scope: NameScope): Promise<ComparedSums> {
  const identify = ({ dir, manifest, bigkeys }: ComparedRef) => [path.resolve(dir), manifest.endedAt, bigkeys];
  const key = JSON.stringify(['compared', identify(now), identify(before), common, scope.prefix, scope.template]);
  const known = getCachedAnswer(key) as ComparedSums | undefined;
  if (known !== undefined) return known;
  const sums = await compareGroups(now, before, common, scope, rollUpMissing);
  cacheAnswer(key, sums);
  return sums;
}

/** Describes one of the two snapshots with the figures of its compared part. */
export const describeSide = ({ manifest }: ComparedRef, totals: SumTotals): ComparedSide => ({
  snapshotId: manifest.id,
  instanceId: manifest.instanceId,
  instanceName: manifest.instanceName,
  startedAt: manifest.startedAt,
  totals,
});

function listPolicyNotes({ now, before, policy, row }: BothSnapshots): ComparisonNote[] {
  const isOtherPolicy = row.policyHash != null && row.policyHash !== policy.hash;
  const hasOtherThresholds = JSON.stringify(now.bigkeys) !== JSON.stringify(before.bigkeys);
  return [
    ...(isOtherPolicy ? [{ code: 'policy' as const, params: {} }] : []),
    ...(hasOtherThresholds ? [{ code: 'thresholds' as const, params: {} }] : []),
  ];
}

/** The key rules that have changes, the strongest first, then those with the most new keys. */
export function listRuleChanges(changes: Changes, policy: EffectivePolicy, now: ComparedRef): RuleChange[] {
  const { profiles, base } = compilePolicy(policy, toPolicyFacts(now.manifest));
  const rules = [profiles[base]!, ...profiles].flatMap(({ keyRules }) => keyRules);
  return Object.entries(changes)
    .flatMap(([rule, change]) => {
      const found = rules.find(({ id }) => id === rule);
      return found ? [{ rule, title: found.title, strength: found.strength, ...change }] : [];
    })
    .sort(
      (a, b) =>
        STRENGTHS.indexOf(a.strength) - STRENGTHS.indexOf(b.strength) ||
        b.newKeys - a.newKeys ||
        (a.rule < b.rule ? -1 : 1),
    );
}
