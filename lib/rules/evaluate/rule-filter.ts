import { AppError } from '@/lib/model/errors';
import type { KeyFilter } from '@/lib/model/filter';
import type { CompiledPolicy, CompiledProfile, CompiledRule } from '@/lib/rules/policy/compile-policy';
import type { RulesMeta } from '@/lib/rules/policy/rules-folder';
import type { RuleFilter } from '@/lib/snapshots/key-query/rule-filter';
import { readCombinations } from './combinations';
import { anyRangeSql, createInlineContext, findingSql, groupSimilarZones } from './finding-sql';
import { narrowToFindings } from './narrow-to-findings';
import { toRuleMask } from './pass-sql';
import { findEvaluationScope } from './scope';

type Clause = Parameters<RuleFilter['and']>[0];

/**
 * Filters by rule, strength and owner as part of the common WHERE clause: the predicates that were counted, in the
 * zones where they apply, without exempted findings (or, with `exempt`, only those). Totals come from the roll-up (null
 * if it cannot answer), and so do the ranges of names to read (narrow-to-findings.ts).
 */
export function compileRuleFilter(compiled: CompiledPolicy, meta: RulesMeta | null): RuleFilter {
  return {
    hash: compiled.hash,
    and: (where, filter) => addFilter(where, compiled, filter),
    async totals(source, query) {
      if ((await findEvaluationScope(source, meta, query)) === null) return null;
      const rows = await readCombinations(source, compiled, meta, query);
      return { keys: rows.reduce((n, row) => n + row.keys, 0), bytes: rows.reduce((n, row) => n + row.bytes, 0) };
    },
    async narrowKeys(source, query, page) {
      if (meta === null) return source.keys;
      const masks = compiled.profiles.map((p) =>
        selectRules(p, query.rule?.length ? { rule: query.rule } : { strength: query.strength }).reduce(
          (mask, rule) => mask | toRuleMask(p, [rule.id]),
          0n,
        ),
      );
      const bits = masks.map((mask, i) => `WHEN ${i} THEN ${mask}::UBIGINT`).join(' ');
      const mask = `(${query.exempt === true ? 'exempted' : 'violated'} & CASE profile ${bits} ELSE 0::UBIGINT END) <> 0`;
      return narrowToFindings(source, meta, query, needsBits(query) ? mask : null, page);
    },
  };
}

const needsBits = (filter: KeyFilter) =>
  (filter.rule?.length ?? 0) > 0 || (filter.strength?.length ?? 0) > 0 || filter.exempt === true;

/** Rules of a profile that a filter selects by id and strength. */
function selectRules(profile: CompiledProfile, { rule, strength }: KeyFilter): CompiledRule[] {
  const matchesRule = (one: CompiledRule) => !rule?.length || rule.includes(one.id);
  const matchesStrength = (one: CompiledRule) => !strength?.length || strength.includes(one.strength);
  return profile.keyRules.filter((one) => matchesRule(one) && matchesStrength(one));
}

/**
 * Rule and strength are two conditions, and each must be met by some violated rule. Without either, any violated rule
 * will do.
 */
function listConditions(profile: CompiledProfile, { rule, strength }: KeyFilter): CompiledRule[][] {
  if (!rule?.length && !strength?.length) return [profile.keyRules];
  return [
    ...(rule?.length ? [selectRules(profile, { rule })] : []),
    ...(strength?.length ? [selectRules(profile, { strength })] : []),
  ];
}

function addFilter(where: Clause, compiled: CompiledPolicy, filter: KeyFilter): void {
  for (const id of filter.rule ?? []) {
    if (!compiled.profiles.some((profile) => profile.keyRules.some((rule) => rule.id === id))) {
      throw new AppError(
        'bad_request',
        `The rule ${id} is not an enabled key rule of this instance. Choose one of its findings.`,
        {
          field: 'rule',
        },
      );
    }
  }
  const owner = filter.owner === '-' ? null : filter.owner;
  const zones = compiled.zones.filter((zone) => owner === undefined || zone.owner === owner);
  if (!needsBits(filter)) {
    where.and(anyRangeSql(where, zones, compiled.zones.length));
    return;
  }
  const terms = groupSimilarZones(zones).map((some) => {
    const zone = some[0]!;
    const profile = compiled.profiles[zone.profile]!;
    const sql = createInlineContext(where, compiled, profile);
    const each = listConditions(profile, filter).map((rules) => {
      const found = rules.flatMap((rule) => findingSql(compiled, rule, zone, sql, filter.exempt === true) ?? []);
      return found.length === 0 ? 'false' : `(${found.join(' OR ')})`;
    });
    return `(${anyRangeSql(where, some, compiled.zones.length)} AND ${each.join(' AND ')})`;
  });
  where.and(terms.length === 0 ? 'false' : `(${terms.join(' OR ')})`);
}
