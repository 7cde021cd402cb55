/** Reads and writes the folder next to a sealed snapshot that holds its findings under one policy. */

import { access, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readChecked, writeChecked } from '@/lib/snapshots/folder/checked-text';
import { type Checksums, computeChecksums, findDamaged } from '@/lib/snapshots/folder/checksums';
import { quote } from '@/lib/snapshots/query/duckdb';

/** Number of complete folders that are kept: those of the five standards, and of the last two policies. */
const KEPT_FOLDERS = 7;
/** Name of a complete folder: the 1 is the version of its format, and the policy's hash follows. */
const NAME = /^rules1-[0-9a-f]{16}$/;
/** A folder under another name that is older than this was left by a crash. An evaluation takes less time. */
const LEFT_BEHIND_MS = 600_000;

export interface RulesMeta {
  hash: string;
  /** `endedAt` of the snapshot that was evaluated. */
  endedAt: number | null;
  keys: number;
  /**
   * True if wide levels were cut. Some rows of the roll-up are then rests: the sums of the smaller children of a level.
   * RESTS_FILE has the numbers of these children.
   */
  rests: boolean;
  /** Hash of the part of the policy that group rules depend on: with an equal one their answers can be used again. */
  groupsHash: string;
  evaluatedInMs: number;
  /** Checksums of all other files that the evaluation wrote into the folder. */
  checksums: Checksums;
}

const META = 'meta.json';

export const getRulesFolder = (dir: string, hash: string) => path.join(dir, `rules1-${hash}`);

/** The hashes of the policies under which a snapshot was evaluated. */
export const listEvaluatedHashes = async (dir: string): Promise<string[]> =>
  (await readdir(dir)).filter((name) => NAME.test(name)).map((name) => name.slice(-16));

/** The folder in which findings are written until they are complete. */
export const getTemporaryRulesFolder = (dir: string, hash: string) => `${getRulesFolder(dir, hash)}.${process.pid}.tmp`;

/**
 * Returns the description of the findings. null: not evaluated, or for another seal of the snapshot, or damaged. Then
 * the caller evaluates again; nothing is lost, because findings can always be computed from the keys.
 */
export async function readMeta(dir: string, hash: string, manifest: SnapshotManifest): Promise<RulesMeta | null> {
  try {
    const meta = (await readChecked(path.join(getRulesFolder(dir, hash), META))) as RulesMeta;
    const isOfThisSnapshot = meta.hash === hash && meta.endedAt === manifest.endedAt && meta.keys === manifest.keys;
    if (isOfThisSnapshot && (await isWhole(getRulesFolder(dir, hash), meta))) return meta;
  } catch {
    // The file is missing or damaged.
  }
  return null;
}

async function isWhole(folder: string, { checksums }: RulesMeta): Promise<boolean> {
  const files = Object.keys(checksums);
  await Promise.all(files.map((file) => access(path.join(folder, file))));
  return (await findDamaged(folder, checksums, files)).length === 0;
}

/** Call this last, when all other files in `folder` are complete. */
export async function writeMeta(folder: string, described: Omit<RulesMeta, 'checksums'>): Promise<RulesMeta> {
  const checksums = await computeChecksums(folder, await readdir(folder));
  const meta = { ...described, checksums };
  await writeChecked(path.join(folder, META), JSON.stringify(meta));
  return meta;
}

export const ROLLUP_FILE = 'rollup.parquet';
/** Columns: profile, zone (by index, see zones.ts), template (of the rest), violated (by any key of a child), children. */
export const RESTS_FILE = 'rests.parquet';
export const SUMMARY_FILE = 'summary.parquet';
/** The summary is the roll-up with templates cut to this many segments. It is small and answers most questions. */
export const SUMMARY_SEGMENTS = 2;
/** SQL for the template in the summary, over rows with `template` and its segments `parts`. */
export const cutTemplateSql = `CASE WHEN len(parts) > ${SUMMARY_SEGMENTS} THEN concat(array_to_string(parts[:${SUMMARY_SEGMENTS}], ':'), ':') ELSE template END`;

/** SQL for the roll-up in a folder of findings, as a sub-select in brackets. */
export const rulesRollupSql = (folder: string): string => parquetRowsSql(folder, ROLLUP_FILE);
export const rulesRestsSql = (dir: string, meta: RulesMeta): string =>
  parquetRowsSql(getRulesFolder(dir, meta.hash), RESTS_FILE);
export const rulesSummarySql = (dir: string, meta: RulesMeta): string =>
  parquetRowsSql(getRulesFolder(dir, meta.hash), SUMMARY_FILE);

const parquetRowsSql = (folder: string, file: string) =>
  `(SELECT * FROM read_parquet(${quote(path.join(folder, file))}))`;

/** Keeps the newest findings and deletes what a crash has left. */
export async function tidyRules(dir: string, keep: string): Promise<void> {
  const names = await readdir(dir);
  const dated = await Promise.all(
    names
      .filter((name) => name.startsWith('rules'))
      .map(async (name) => ({ name, at: (await stat(path.join(dir, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const whole = dated.filter(({ name }) => NAME.test(name)).sort((a, b) => b.at - a.at);
  const kept = new Set([
    path.basename(getRulesFolder(dir, keep)),
    ...whole.slice(0, KEPT_FOLDERS).map(({ name }) => name),
  ]);
  for (const { name, at } of dated) {
    const doomed = NAME.test(name) ? !kept.has(name) : Date.now() - at > LEFT_BEHIND_MS;
    if (doomed) await rm(path.join(dir, name), { recursive: true, force: true });
  }
}
