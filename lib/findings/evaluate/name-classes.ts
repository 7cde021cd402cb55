import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { groupsIdentity } from '@/lib/findings/groups/stored-groups';
import type { CompiledPolicy, CompiledProfile, CompiledRule } from '@/lib/findings/policy/compile-policy';
import { readMeta } from '@/lib/findings/policy/rules-folder';
import { Where } from '@/lib/key-query/where-clause';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import { idsAlike } from './ids-alike';
import { contextOf } from './pass-sql';

/**
 * What an evaluation leaves for the next one: the keys by all that matters to rules (pass-sql.ts), few rows in place of
 * millions. Where nothing has changed but rules about names, these are asked of the classes, and no key is read again.
 *
 * A rule is known by the very text in which it is asked, so that a new version of Colonnade, an owner's prefix or a
 * threshold that it looks at makes it another one.
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
  /** Zones, globs and delimiters: they decide what a class is. */
  shape: string;
  groups: string;
  profiles: AskedRule[][];
}

/** Of one profile: which of its rules must be asked again, and where the bits of the others were. */
export interface ChangedRules {
  changed: CompiledRule[];
  kept: MovedBit[];
  /** Of all rules that were asked before, the changed ones too: which names are exempted from them has not changed. */
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
  /** The groups' answers are the same too. */
  sameGroups: boolean;
}

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

function askedOf(rule: CompiledRule, compiled: CompiledPolicy, profile: CompiledProfile): string {
  const where = new Where();
  const sql = contextOf(where, compiled, profile);
  return digest([rule.violated(sql), rule.unknown(sql), where.values.map(String)]);
}

const shapeOf = ({ zones, patterns, profiles }: CompiledPolicy) =>
  digest([
    zones.map(({ from, to, profile, exempt }) => [from, to, profile, exempt]),
    patterns,
    profiles.map((profile) => profile.delimiter),
  ]);

/** Makes classes that lie in `folder` known to later evaluations. */
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
    shape: shapeOf(compiled),
    groups: groupsIdentity(compiled),
    profiles: compiled.profiles.map((profile) =>
      profile.keyRules.map((rule) => ({ id: rule.id, bit: rule.bit, asked: askedOf(rule, compiled, profile) })),
    ),
  };
  await writeFileDurably(path.join(folder, FILE), JSON.stringify(stored));
}

/** Of another policy's evaluation, where that differs in nothing but rules that may be asked of classes. */
export async function reusableClasses(
  dir: string,
  compiled: CompiledPolicy,
  manifest: SnapshotManifest,
): Promise<ReusableClasses | null> {
  const folders = (await readdir(dir)).filter((name) => /^rules1-[0-9a-f]{16}$/.test(name)).sort();
  for (const name of folders) {
    const folder = path.join(dir, name);
    if (!(await readMeta(dir, name.slice(-16), manifest))) continue;
    const stored = await readStored(folder);
    if (stored?.endedAt !== manifest.endedAt || stored.keys !== manifest.keys || stored.shape !== shapeOf(compiled))
      continue;
    const profiles = compiled.profiles.map((profile, i) => changedRules(stored.profiles[i]!, profile, compiled));
    if (!profiles.every((one) => one !== null)) continue;
    return { folder, files: stored.files, profiles, sameGroups: stored.groups === groupsIdentity(compiled) };
  }
  return null;
}

async function readStored(folder: string): Promise<StoredClasses | null> {
  try {
    const stored: StoredClasses = JSON.parse(await readFile(path.join(folder, FILE), 'utf8'));
    return stored.version === CLASSES_VERSION ? stored : null;
  } catch {
    // None: the keys are all there.
    return null;
  }
}

function changedRules(
  before: readonly AskedRule[],
  profile: CompiledProfile,
  compiled: CompiledPolicy,
): ChangedRules | null {
  const stored = new Map(before.map((rule) => [rule.id, rule]));
  const found: ChangedRules = { changed: [], kept: [], known: [] };
  for (const rule of profile.keyRules) {
    const old = stored.get(rule.id);
    if (old) found.known.push({ from: old.bit, to: rule.bit });
    if (old?.asked === askedOf(rule, compiled, profile)) {
      found.kept.push({ from: old.bit, to: rule.bit });
      continue;
    }
    if (!idsAlike(rule, profile)) return null;
    // Which names a glob exempts from a rule was not asked while the rule was off.
    if (!old && compiled.patterns.some((pattern) => pattern.rule === '*' || pattern.rule === rule.id)) return null;
    found.changed.push(rule);
  }
  return found;
}
