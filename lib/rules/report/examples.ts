import { encodeKey } from '@/lib/model/keys/key-id';
import type { KeyExample } from '@/lib/model/rules/findings';
import { confirmLists, type Suggestion } from '@/lib/rules/evaluate/confirm-suggestions';
import type { CompiledPolicy, CompiledProfile } from '@/lib/rules/policy/compile-policy';
import { suggestName } from '@/lib/rules/suggest-name';
import { getNameBytes, type KeyColumns } from '@/lib/snapshots/key-query/key-row';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { selectKeysNamed } from '@/lib/snapshots/query/select-keys-between';
import type { Source } from '@/lib/snapshots/query/with-source';

/**
 * Keys as examples that can be opened. The display form of a name is the key's bytes, unless it contains `\x` or is so
 * long that it may have been cut; only then the key is looked up.
 */
const SURE_BYTES = 500;

export interface Asked {
  profile: CompiledProfile;
  rule: { area: string };
  name: string;
  /** Whether to read the type of the key, which a suggested suffix needs. */
  close: boolean;
}

/**
 * Returns the examples in the order of `asked`. With `together` they are one list, and a name suggested for one of them
 * is not suggested for another; otherwise each is independent.
 */
export async function findExamples(
  source: Source,
  compiled: CompiledPolicy,
  asked: readonly Asked[],
  together = true,
): Promise<KeyExample[]> {
  const examples: KeyExample[] = [];
  const suggestions = new Map<CompiledProfile, Map<Suggestion, KeyExample>>();
  for (const { profile, rule, name, close } of asked) {
    const isNamed = rule.area === 'names';
    const row = !(isNamed && close) && isExact(name) ? null : await lookUp(source, name);
    const bytes = row ? getNameBytes(row) : isExact(name) ? Buffer.from(name) : null;
    const example: KeyExample = { k: bytes === null ? null : encodeKey(bytes), name, suggested: null };
    examples.push(example);
    const type = row?.type ?? null;
    const suggested = isNamed ? suggestName(name, type, profile.body) : null;
    if (suggested === null) continue;
    const mine = suggestions.get(profile) ?? new Map<Suggestion, KeyExample>();
    suggestions.set(profile, mine.set({ name, type, suggested }, example));
  }
  const wanted = [...suggestions.values()].flatMap((mine) => [...mine.keys()].map(({ suggested }) => suggested));
  const taken = await findExistingNames(source, wanted);
  for (const [profile, mine] of suggestions) {
    const all = [...mine.keys()];
    const lists = together ? [all] : all.map((one) => [one]);
    const confirmed = await confirmLists(source.query, compiled, profile, lists, taken);
    for (const suggestion of confirmed) mine.get(suggestion)!.suggested = suggestion.suggested;
  }
  return examples;
}

const isExact = (name: string) => !name.includes('\\x') && Buffer.byteLength(name) <= SURE_BYTES;

/** Returns those of `names` that keys of any database here have. */
async function findExistingNames(source: Source, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const where = new Where();
  // The names are a list of values and not a table: only then the database skips the row groups between them.
  where.and(`name IN (${[...new Set(names)].map((name) => `${where.bind(name)}::VARCHAR`).join(', ')})`);
  const rows = await source.query<{ name: string }>(
    `SELECT DISTINCT name FROM ${selectKeysNamed(source, names)} ${where.sql}`,
    where.values,
  );
  return rows.map(({ name }) => name);
}

async function lookUp(source: Source, name: string): Promise<KeyColumns | null> {
  const where = new Where();
  const at = where.bind(name);
  where.and(`name >= ${at}::VARCHAR AND name <= ${at}::VARCHAR`);
  const rows = await source.query<KeyColumns>(
    `SELECT name, raw, sha256, type FROM ${selectKeysNamed(source, [name])} ${where.sql} LIMIT 1`,
    where.values,
  );
  return rows[0] ?? null;
}
