import type { CompiledPolicy, CompiledProfile } from '@/lib/rules/policy/compile-policy';
import { hasTypeWord, SPELLING_RULES } from '@/lib/rules/suggest-name';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import { bitSql, createPassContext, rowsSql } from './pass-sql';

/**
 * A suggested name, which is evaluated by the same rules that it was made for. It is kept if it passes all rules about
 * spelling, fixes at least one finding, and violates nothing that the current name passes. If several names would get
 * the same suggestion, or if it is the name of another key here, none gets it, because renaming would merge two keys
 * into one.
 */
export interface Suggestion {
  name: string;
  type: string | null;
  suggested: string;
}

const OLD = 0;
const NEW = 1;

/** Returns the suggestions that may be shown. `others` are further names that are taken. */
export const confirmSuggestions = (
  query: Source['query'],
  compiled: CompiledPolicy,
  profile: CompiledProfile,
  suggestions: readonly Suggestion[],
  others: Iterable<string> = [],
): Promise<Set<Suggestion>> => confirmLists(query, compiled, profile, [suggestions], others);

/**
 * Does the same for several independent lists in one statement, because most of the time goes into planning the rules.
 */
export async function confirmLists(
  query: Source['query'],
  compiled: CompiledPolicy,
  profile: CompiledProfile,
  lists: readonly (readonly Suggestion[])[],
  others: Iterable<string> = [],
): Promise<Set<Suggestion>> {
  const taken = [...others];
  const alone = lists.flatMap((list) => dropTaken(list, taken));
  if (alone.length === 0) return new Set();
  const rules = profile.keyRules.filter((rule) => rule.nameOnly);
  const where = new Where();
  const sql = createPassContext(where, compiled, profile);
  const mask = rules
    .map((rule, i) => `CASE WHEN ${rule.violated(sql)} THEN ${bitSql(i)} ELSE 0::UBIGINT END`)
    .join(' | ');
  const rows = alone.flatMap(({ name, suggested, type }) => [
    { n: name, t: type },
    { n: suggested, t: type },
  ]);
  const asked = `(SELECT (row_number() OVER () - 1)::INTEGER AS ordinal, n AS name, t AS type, NULL::BLOB AS raw,
      strlen(n)::UINTEGER AS name_bytes
    FROM (SELECT unnest(from_json(${sql.text(JSON.stringify(rows))}, '[{"n":"VARCHAR","t":"VARCHAR"}]'), recursive := true)))`;
  const found = await query<{ ordinal: number; violated: string }>(
    `SELECT ordinal, (${mask || '0::UBIGINT'})::VARCHAR AS violated FROM ${rowsSql(asked, '', sql)}`,
    where.values,
  );
  const masks = new Map(found.map((row) => [row.ordinal, BigInt(row.violated)]));
  const toRuleBits = (ids: readonly string[]) =>
    rules.reduce((bits, rule, i) => (ids.includes(rule.id) ? bits | (1n << BigInt(i)) : bits), 0n);
  const spelling = toRuleBits(SPELLING_RULES);
  const suffix = toRuleBits(['N4']);
  return new Set(
    alone.filter(({ type }, i) => {
      // If the type is unknown or has no word, the suffix rule (N4) cannot say how the name should end.
      const asks = hasTypeWord(type) ? ~0n : ~suffix;
      const [before, after] = [masks.get(2 * i + OLD)! & asks, masks.get(2 * i + NEW)! & asks];
      return (after & spelling) === 0n && (after & ~before) === 0n && (before & ~after) !== 0n;
    }),
  );
}

function dropTaken(suggestions: readonly Suggestion[], others: readonly string[]): Suggestion[] {
  const wanted = new Map<string, Set<string>>();
  for (const { name, suggested } of suggestions) wanted.set(suggested, (wanted.get(suggested) ?? new Set()).add(name));
  const names = new Set([...others, ...suggestions.map((one) => one.name)]);
  return suggestions.filter((one) => wanted.get(one.suggested)!.size === 1 && !names.has(one.suggested));
}
