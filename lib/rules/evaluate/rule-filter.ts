import { AppError } from '@/lib/model/errors';
import type { KeyFilter } from '@/lib/model/filter';
import type { CompiledPolicy, CompiledProfile, CompiledRule } from '@/lib/rules/policy/compile-policy';
import { parseOwner } from '@/lib/rules/policy/owned-prefixes';
import type { RulesMeta } from '@/lib/rules/policy/rules-folder';
import type { RuleFilter } from '@/lib/snapshots/key-query/rule-filter';
import { readCombinations } from './combinations';
import { anyRangeSql, createInlineContext, findingSql, groupSimilarZones } from './finding-sql';
import { narrowToFindings } from './narrow-to-findings';
import { profileMaskSql, toRuleMask } from './pass-sql';
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
      if (!hasRuleCondition(query)) return narrowToFindings(source, meta, query, null, page);
      // One of the two conditions suffices to find the ranges. The list itself checks both.
      const condition = query.rule?.length ? { rule: query.rule } : { strength: query.strength };
      const wanted = profileMaskSql(compiled, (profile) => {
        const rules = selectRules(profile, condition);
        return toRuleMask(
          profile,
          rules.map(({ id }) => id),
        );
      });
      const found = query.exempt === true ? 'exempted' : 'violated';
      return narrowToFindings(source, meta, query, `(${found} & ${wanted}) <> 0`, page);
    },
  };
}

/** Whether a filter is about what the rules found. A filter by owner needs only the names. */
const hasRuleCondition = (filter: KeyFilter) =>
  (filter.rule?.length ?? 0) > 0 || (filter.strength?.length ?? 0) > 0 || filter.exempt === true;

/** Rules of a profile that a filter selects by id and strength. */
function selectRules(profile: CompiledProfile, { rule, strength }: KeyFilter): CompiledRule[] {
  const matchesRule = ({ id }: CompiledRule) => !rule?.length || rule.includes(id);
  const matchesStrength = (own: CompiledRule) => !strength?.length || strength.includes(own.strength);
  return profile.keyRules.filter((own) => matchesRule(own) && matchesStrength(own));
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
        { field: 'rule' },
      );
    }
  }
  const owner = parseOwner(filter.owner);
  const zones = compiled.zones.filter((zone) => owner === undefined || zone.owner === owner);
  if (!hasRuleCondition(filter)) {
    where.and(anyRangeSql(where, zones, compiled.zones.length));
    return;
  }
  const terms = groupSimilarZones(zones).map((similar) => {
    const zone = similar[0]!;
    const profile = compiled.profiles[zone.profile]!;
    const sql = createInlineContext(where, compiled, profile);
    const each = listConditions(profile, filter).map((rules) => {
      const found = rules.flatMap((rule) => findingSql(compiled, rule, zone, sql, filter.exempt === true) ?? []);
      return found.length === 0 ? 'false' : `(${found.join(' OR ')})`;
    });
    return `(${anyRangeSql(where, similar, compiled.zones.length)} AND ${each.join(' AND ')})`;
  });
  where.and(terms.length === 0 ? 'false' : `(${terms.join(' OR ')})`);
}
