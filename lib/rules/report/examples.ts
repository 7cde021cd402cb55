import { encodeKey } from '@/lib/model/keys/key-id';
import type { KeyExample } from '@/lib/model/rules/findings';
import { confirmSuggestions, type Suggestion } from '@/lib/rules/evaluate/confirm-suggestions';
import type { CompiledPolicy, CompiledProfile } from '@/lib/rules/policy/compile-policy';
import { suggestName } from '@/lib/rules/suggest-name';
import { getNameBytes, type KeyColumns } from '@/lib/snapshots/key-query/key-row';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { selectKeysNamed } from '@/lib/snapshots/query/select-keys-between';
import type { Source } from '@/lib/snapshots/query/with-source';

/** A name longer than this many bytes may have been cut. */
const MAX_WHOLE_BYTES = 500;

export interface WantedExample {
  profile: CompiledProfile;
  rule: { area: string };
  name: string;
  /** Whether to read the type of the key, which a suggested suffix needs. */
  needsType: boolean;
}

/**
 * Returns keys as examples that can be opened, in the order of `wanted`. The display form of a name is the key's bytes,
 * unless it contains `\x` or is so long that it may have been cut; only then the key is looked up. Names suggested for
 * examples of one list are all different.
 */
export async function findExamples(
  source: Source,
  compiled: CompiledPolicy,
  wanted: readonly WantedExample[],
  are: 'one list' | 'independent',
): Promise<KeyExample[]> {
  const examples: KeyExample[] = [];
  const suggestions = new Map<CompiledProfile, Map<Suggestion, KeyExample>>();
  for (const { profile, rule, name, needsType } of wanted) {
    const isAboutNames = rule.area === 'names';
    const row = !(isAboutNames && needsType) && isExact(name) ? null : await lookUp(source, name);
    const bytes = row ? getNameBytes(row) : isExact(name) ? Buffer.from(name) : null;
    const example: KeyExample = { k: bytes === null ? null : encodeKey(bytes), name, suggested: null };
    examples.push(example);
    const type = row?.type ?? null;
    const suggested = isAboutNames ? suggestName(name, type, profile.body) : null;
    if (suggested === null) continue;
    const ofProfile = suggestions.get(profile) ?? new Map<Suggestion, KeyExample>();
    suggestions.set(profile, ofProfile.set({ name, type, suggested }, example));
  }
  const newNames = [...suggestions.values()].flatMap((ofProfile) => [...ofProfile.keys()].map((one) => one.suggested));
  const taken = await findExistingNames(source, newNames);
  for (const [profile, ofProfile] of suggestions) {
    const all = [...ofProfile.keys()];
    const lists = are === 'one list' ? [all] : all.map((suggestion) => [suggestion]);
    const confirmed = await confirmSuggestions(source.query, compiled, profile, lists, taken);
    for (const suggestion of confirmed) ofProfile.get(suggestion)!.suggested = suggestion.suggested;
  }
  return examples;
}

const isExact = (name: string) => !name.includes('\\x') && Buffer.byteLength(name) <= MAX_WHOLE_BYTES;

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
