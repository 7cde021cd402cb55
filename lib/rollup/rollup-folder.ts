import { access } from 'node:fs/promises';
import path from 'node:path';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { readChecked, writeChecked } from '@/lib/snapshots/folder/checked-text';
import type { Checksums } from '@/lib/snapshots/folder/checksums';
import { quote } from '@/lib/snapshots/query/duckdb';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';

/**
 * The roll-up lies in a folder beside the sealed files. It says nothing that these do not; losing it costs time. The
 * folder's name holds the version of its tables.
 */
export const ROLLUP_FOLDER = 'rollup-1';
/** cells, sizes, moments, ids: see roll-up-file.ts · slots, tags: see slots-sql.ts */
export const TABLES = ['cells', 'sizes', 'moments', 'ids', 'slots', 'tags'] as const;
/** Made of all files at once: paths (number, text) · storms: find-storms.ts · peaks: find-peaks.ts */
export const WHOLE_TABLES = ['paths', 'storms', 'peaks'] as const;
export const ALL_TABLES = [...TABLES, ...WHOLE_TABLES];
export type RollupFile = (typeof TABLES)[number];
export type RollupTable = (typeof ALL_TABLES)[number];

/** What it was made of; another snapshot in the folder, sealed anew, or other thresholds make it worthless. */
export interface RollupMeta {
  endedAt: number | null;
  asOf: number;
  bigkeys: BigkeyThresholds;
  paths: number;
  cells: number;
  /** Whether storms and peaks hold every prefix; there may be too many. */
  storms: boolean;
  /** How many different hash tags there are; null: too many to be counted. */
  tagCount: number | null;
  bytes: number;
  /** They cover the tables; the names are those of their files in the folder of the snapshot. */
  checksums: Checksums;
}

const META = 'rollup.json';

export const rollupFolder = (dir: string) => path.join(dir, ROLLUP_FOLDER);
/** In the folder of the snapshot. */
export const tableName = (table: RollupTable) => path.join(ROLLUP_FOLDER, `${table}.parquet`);
export const tableFile = (dir: string, table: RollupTable) => path.join(dir, tableName(table));
export const tableSql = (dir: string, table: RollupTable) => `read_parquet(${quote(tableFile(dir, table))})`;

/** null: there is none that holds for this snapshot and these thresholds. */
export async function readRollupMeta({ dir, manifest, bigkeys }: SnapshotRef): Promise<RollupMeta | null> {
  let meta: RollupMeta;
  try {
    meta = (await readChecked(rollupMetaFile(dir))) as RollupMeta;
    await Promise.all(ALL_TABLES.map((table) => access(tableFile(dir, table))));
  } catch {
    // Not made yet, or damaged: the keys themselves answer.
    return null;
  }
  if (meta.endedAt !== manifest.endedAt) return null;
  return bigkeys === undefined || sameThresholds(meta.bigkeys, bigkeys) ? meta : null;
}

/** Last of all: the tables before it are whole. */
export const writeRollupMeta = (dir: string, meta: RollupMeta): Promise<void> =>
  writeChecked(rollupMetaFile(dir), JSON.stringify(meta));

export const rollupMetaFile = (dir: string): string => path.join(rollupFolder(dir), META);

const sameThresholds = (a: BigkeyThresholds, b: BigkeyThresholds) =>
  a.stringBytes === b.stringBytes && a.elements === b.elements && a.collectionBytes === b.collectionBytes;
