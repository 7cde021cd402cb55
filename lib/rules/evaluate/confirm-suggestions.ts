import type { CompiledPolicy, CompiledProfile } from '@/lib/rules/policy/compile-policy';
import { hasTypeWord, SPELLING_RULES } from '@/lib/rules/suggest-name';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import { createPassContext, rowsSql, toRuleMask, violatedSql } from './pass-sql';

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

/**
 * Returns the suggestions that may be shown. The lists are independent of each other, and one statement answers all,
 * because most of the time goes into planning the rules. `taken` are names of further keys.
 */
export async function confirmSuggestions(
  query: Source['query'],
  compiled: CompiledPolicy,
  profile: CompiledProfile,
  lists: readonly (readonly Suggestion[])[],
  taken: readonly string[],
): Promise<Set<Suggestion>> {
  const free = lists.flatMap((list) => dropTaken(list, taken));
  if (free.length === 0) return new Set();
  const rules = profile.keyRules.filter((rule) => rule.nameOnly);
  const where = new Where();
  const sql = createPassContext(where, compiled, profile);
  const mask = violatedSql(rules, sql);
  // The current name of suggestion i is row 2 i, the suggested one row 2 i + 1.
  const rows = free.flatMap(({ name, suggested, type }) => [
    { n: name, t: type },
    { n: suggested, t: type },
  ]);
  const names = `(SELECT (row_number() OVER () - 1)::INTEGER AS ordinal, n AS name, t AS type, NULL::BLOB AS raw,
      strlen(n)::UINTEGER AS name_bytes
    FROM (SELECT unnest(from_json(${sql.text(JSON.stringify(rows))}, '[{"n":"VARCHAR","t":"VARCHAR"}]'), recursive := true)))`;
  const found = await query<{ ordinal: number; violated: string }>(
    `SELECT ordinal, (${mask})::VARCHAR AS violated FROM ${rowsSql(names, '', sql)}`,
    where.values,
  );
  const masks = new Map(found.map((row) => [row.ordinal, BigInt(row.violated)]));
  const spelling = toRuleMask(profile, SPELLING_RULES);
  const suffix = toRuleMask(profile, ['N4']);
  return new Set(
    free.filter(({ type }, i) => {
      // If the type is unknown or has no word, the suffix rule (N4) cannot say how the name should end.
      const counted = hasTypeWord(type) ? ~0n : ~suffix;
      const [before, after] = [masks.get(2 * i)! & counted, masks.get(2 * i + 1)! & counted];
      return (after & spelling) === 0n && (after & ~before) === 0n && (before & ~after) !== 0n;
    }),
  );
}

/** Drops suggestions that are the name of another key, or that are made for several names. */
function dropTaken(suggestions: readonly Suggestion[], taken: readonly string[]): Suggestion[] {
  const wanted = new Map<string, Set<string>>();
  for (const { name, suggested } of suggestions) wanted.set(suggested, (wanted.get(suggested) ?? new Set()).add(name));
  const names = new Set([...taken, ...suggestions.map((one) => one.name)]);
  return suggestions.filter((one) => wanted.get(one.suggested)!.size === 1 && !names.has(one.suggested));
}
