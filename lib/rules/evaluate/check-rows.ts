import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { type CompiledRule, compilePolicy } from '@/lib/rules/policy/compile-policy';
import { isInRange, type Zone } from '@/lib/rules/policy/zones';
import { adviseSplit } from '@/lib/rules/split-advice';
import { createNameSuggester } from '@/lib/rules/suggest-name';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type AdHocOptions, type AdHocRow, withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { hasRuleBit } from './combinations';
import { confirmSuggestions, type Suggestion } from './confirm-suggestions';
import { createPassContext, exemptedSql, notEvaluatedSql, rowsSql, violatedSql } from './pass-sql';

export interface CheckOptions extends AdHocOptions {
  /** True: evaluate only rules that look at nothing but the name. */
  nameOnly?: boolean;
  clustered?: boolean;
  /** Commands of the server besides COMMAND_NAMES. */
  moreCommands?: readonly string[];
  /** Names of other keys. None of them is suggested as a new name. */
  taken?: readonly string[];
}

/**
 * Evaluates single keys with the same predicates as whole snapshots: for the key page, `lint`, and trying names in the
 * editor. Returns one verdict per row, in the order of the rows.
 */
export async function checkRows(
  policy: EffectivePolicy,
  rows: readonly AdHocRow[],
  options: CheckOptions = {},
): Promise<KeyVerdict[]> {
  if (rows.length === 0) return [];
  const compiled = compilePolicy(policy, {
    asOf: options.asOf ?? Date.now(),
    lazyExpire: options.lazyfreeLazyExpire ?? null,
    clustered: options.clustered ?? false,
    // A single key is judged as on its master.
    replicaNodes: [],
    moreCommands: options.moreCommands ?? [],
  });
  const zones = rows.map((row) => compiled.zones.find((zone) => isInRange(toWellFormed(row.name), zone))!);
  const verdicts = new Map<number, KeyVerdict>();
  await withRows(
    rows,
    async (source) => {
      for (const [index, profile] of compiled.profiles.entries()) {
        const ownRows = rows.flatMap((_, i) => (zones[i]!.profile === index ? [i] : []));
        if (ownRows.length === 0) continue;
        const rules = profile.keyRules.filter((rule) => !options.nameOnly || rule.nameOnly);
        const where = new Where();
        const sql = createPassContext(where, compiled, profile);
        // Masks are read, and only of rows with a violated or unknown rule: most names violate nothing, and one column
        // per rule would fill the memory.
        const found = await source.query<{ ordinal: number } & Masks>(
          `SELECT ordinal, violated::VARCHAR AS violated, unknown::VARCHAR AS unknown, exempted::VARCHAR AS exempted
           FROM (SELECT ordinal, ${violatedSql(rules, sql)} AS violated, ${notEvaluatedSql(rules, sql)} AS unknown,
             ${exemptedSql(compiled, profile, sql)} AS exempted FROM ${rowsSql(source.keys, '', sql)})
           WHERE violated <> 0 OR unknown <> 0`,
          where.values,
        );
        const suggest = createNameSuggester(profile.body);
        const suggestions = new Map<number, Suggestion>();
        /** Verdicts by zone and masks, because most rows have the same as another one. */
        const judged = new Map<string, Pick<KeyVerdict, 'violated' | 'unknown'>>();
        for (const { ordinal, ...masks } of found) {
          const zone = zones[ordinal]!;
          if (zone.profile !== index) continue;
          const row = rows[ordinal]!;
          const key = `${compiled.zones.indexOf(zone)}:${masks.violated}:${masks.unknown}:${masks.exempted}`;
          const { violated, unknown } = judged.get(key) ?? toVerdict(rules, zone, masks);
          judged.set(key, { violated, unknown });
          verdicts.set(ordinal, { violated, unknown, suggested: null });
          const suggested = violated.some(({ rule }) => rule.startsWith('N'))
            ? suggest(row.name, row.type ?? null)
            : null;
          if (suggested !== null) suggestions.set(ordinal, { name: row.name, type: row.type ?? null, suggested });
        }
        const lists = [[...suggestions.values()]];
        const names = [...rows.map((row) => row.name), ...(options.taken ?? [])];
        const confirmed = await confirmSuggestions(source.query, compiled, profile, lists, names);
        for (const [ordinal, suggestion] of suggestions)
          if (confirmed.has(suggestion)) verdicts.get(ordinal)!.suggested = suggestion.suggested;
        if (options.nameOnly) continue;
        const limits = getBigkeyThresholds(profile.body);
        for (const i of ownRows)
          verdicts.set(i, { ...(verdicts.get(i) ?? NOTHING), split: adviseSplit(rows[i]!, limits) });
      }
    },
    options,
  );
  return rows.map((_, i) => verdicts.get(i) ?? { ...NOTHING });
}

const NOTHING: KeyVerdict = { violated: [], unknown: [], suggested: null };

/** Masks of rules (see pass-sql.ts) as decimal text. */
type Masks = Record<'violated' | 'unknown' | 'exempted', string>;

function toVerdict(rules: readonly CompiledRule[], zone: Zone, masks: Masks) {
  const has = (mask: keyof Masks, rule: CompiledRule) => hasRuleBit(BigInt(masks[mask]), rule);
  const isExempt = (rule: CompiledRule) =>
    has('exempted', rule) || zone.exempt.includes('*') || zone.exempt.includes(rule.id);
  return {
    violated: rules
      .filter((rule) => has('violated', rule))
      .map((rule) => ({ rule: rule.id, title: rule.title, strength: rule.strength, exempt: isExempt(rule) })),
    unknown: rules
      .filter((rule) => has('unknown', rule) && !has('violated', rule) && !isExempt(rule))
      .map((rule) => rule.id),
  };
}
