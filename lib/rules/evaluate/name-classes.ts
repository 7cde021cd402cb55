import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { hashGroups } from '@/lib/rules/groups/stored-groups';
import type { CompiledPolicy, CompiledProfile, CompiledRule } from '@/lib/rules/policy/compile-policy';
import { readMeta } from '@/lib/rules/policy/rules-folder';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { areIdsAlike } from './are-ids-alike';
import { createPassContext } from './pass-sql';

/**
 * Classes that an evaluation stores for the next one: keys grouped by everything that matters to rules (pass-sql.ts), a
 * few rows instead of millions. If only rules about names have changed, they are evaluated on the classes and no key is
 * read again.
 *
 * A rule is identified by a hash of its SQL. A new version of Colonnade, or a change of an owner's prefix or of a
 * threshold that the rule uses, therefore makes it a different rule.
 */
const CLASSES_VERSION = 2;
const FILE = 'classes.json';

interface AskedRule {
  id: string;
  bit: number;
  asked: string;
}

interface StoredClasses {
  version: number;
  endedAt: number | null;
  keys: number;
  files: string[];
  /** A hash of zones, globs and delimiters, which decide what a class is. */
  shape: string;
  groups: string;
  profiles: AskedRule[][];
}

/** For one profile: which rules must be evaluated again, and where the bits of the others were stored. */
export interface ChangedRules {
  changed: CompiledRule[];
  kept: MovedBit[];
  /**
   * Bits of all rules that were evaluated before, including the changed ones: the names exempted from them are still
   * the same.
   */
  known: MovedBit[];
}

export interface MovedBit {
  from: number;
  to: number;
}

export interface ReusableClasses {
  folder: string;
  files: string[];
  profiles: ChangedRules[];
  /** True if the stored answers of group rules can be reused too. */
  sameGroups: boolean;
}

const hashValue = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

function hashRule(rule: CompiledRule, compiled: CompiledPolicy, profile: CompiledProfile): string {
  const where = new Where();
  const sql = createPassContext(where, compiled, profile);
  return hashValue([rule.violated(sql), rule.unknown(sql), where.values.map(String)]);
}

const hashShape = ({ zones, patterns, profiles }: CompiledPolicy) =>
  hashValue([
    zones.map(({ from, to, profile, exempt }) => [from, to, profile, exempt]),
    patterns,
    profiles.map((profile) => profile.delimiter),
  ]);

/** Describes the classes in `folder`, so that later evaluations can find and reuse them. */
export async function storeClasses(
  folder: string,
  files: string[],
  compiled: CompiledPolicy,
  { endedAt, keys }: SnapshotManifest,
): Promise<void> {
  const stored: StoredClasses = {
    version: CLASSES_VERSION,
    endedAt,
    keys,
    files,
    shape: hashShape(compiled),
    groups: hashGroups(compiled),
    profiles: compiled.profiles.map((profile) =>
      profile.keyRules.map((rule) => ({ id: rule.id, bit: rule.bit, asked: hashRule(rule, compiled, profile) })),
    ),
  };
  await writeFileDurably(path.join(folder, FILE), JSON.stringify(stored));
}

/**
 * Finds the classes of an evaluation under another policy that differs only in rules that can be evaluated on classes;
 * null if there are none.
 */
export async function findReusableClasses(
  dir: string,
  compiled: CompiledPolicy,
  manifest: SnapshotManifest,
): Promise<ReusableClasses | null> {
  const folders = (await readdir(dir)).filter((name) => /^rules1-[0-9a-f]{16}$/.test(name)).sort();
  for (const name of folders) {
    const folder = path.join(dir, name);
    if (!(await readMeta(dir, name.slice(-16), manifest))) continue;
    const stored = await readStored(folder);
    if (stored?.endedAt !== manifest.endedAt || stored.keys !== manifest.keys || stored.shape !== hashShape(compiled))
      continue;
    const profiles = compiled.profiles.map((profile, i) => findChangedRules(stored.profiles[i]!, profile, compiled));
    if (!profiles.every((one) => one !== null)) continue;
    return { folder, files: stored.files, profiles, sameGroups: stored.groups === hashGroups(compiled) };
  }
  return null;
}

async function readStored(folder: string): Promise<StoredClasses | null> {
  try {
    const stored: StoredClasses = JSON.parse(await readFile(path.join(folder, FILE), 'utf8'));
    return stored.version === CLASSES_VERSION ? stored : null;
  } catch {
    // There are no readable classes. They are not needed, because the keys can be read instead.
    return null;
  }
}

function findChangedRules(
  before: readonly AskedRule[],
  profile: CompiledProfile,
  compiled: CompiledPolicy,
): ChangedRules | null {
  const stored = new Map(before.map((rule) => [rule.id, rule]));
  const found: ChangedRules = { changed: [], kept: [], known: [] };
  for (const rule of profile.keyRules) {
    const old = stored.get(rule.id);
    if (old) found.known.push({ from: old.bit, to: rule.bit });
    if (old?.asked === hashRule(rule, compiled, profile)) {
      found.kept.push({ from: old.bit, to: rule.bit });
      continue;
    }
    if (!areIdsAlike(rule, profile)) return null;
    // While a rule was off, nobody computed which names a glob exempts from it.
    if (!old && compiled.patterns.some((pattern) => pattern.rule === '*' || pattern.rule === rule.id)) return null;
    found.changed.push(rule);
  }
  return found;
}
