import { access } from 'node:fs/promises';
import path from 'node:path';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { readChecked, writeChecked } from '@/lib/snapshots/folder/checked-text';
import type { Checksums } from '@/lib/snapshots/folder/checksums';
import { quote } from '@/lib/snapshots/query/duckdb';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';

/**
 * Folder of the roll-up, next to the sealed files. The roll-up can be made again from these, so losing it only costs
 * time. The name of the folder contains the version of its tables.
 */
export const ROLLUP_FOLDER = 'rollup-1';
/**
 * Tables that are made of each range of files. See roll-up-file.ts for cells, sizes, moments and ids; slots-sql.ts for
 * slots and tags.
 */
const TABLES = ['cells', 'sizes', 'moments', 'ids', 'slots', 'tags'] as const;
/** Tables that are made of all files at once: paths (number, text) and storms (find-storms.ts). */
const WHOLE_TABLES = ['paths', 'storms'] as const;
export const ALL_TABLES = [...TABLES, ...WHOLE_TABLES];
export type RollupFile = (typeof TABLES)[number];
export type RollupTable = (typeof ALL_TABLES)[number];

/**
 * Says what the roll-up was made of. It is not valid if the snapshot in the folder was sealed again or the thresholds
 * changed.
 */
export interface RollupMeta {
  endedAt: number | null;
  asOf: number;
  bigkeys: BigkeyThresholds;
  paths: number;
  cells: number;
  /** Whether the storms are those of every prefix; if there are too many, the table is empty. */
  storms: boolean;
  /** Number of different hash tags; null: too many to be counted. */
  tagCount: number | null;
  bytes: number;
  /** Checksums of the tables, by the names of their files in the folder of the snapshot. */
  checksums: Checksums;
}

const META = 'rollup.json';

export const getRollupFolder = (dir: string) => path.join(dir, ROLLUP_FOLDER);
/** File name of a table, relative to the folder of the snapshot. */
export const getTableName = (table: RollupTable) => path.join(ROLLUP_FOLDER, `${table}.parquet`);
export const getTableFile = (dir: string, table: RollupTable) => path.join(dir, getTableName(table));
export const tableSql = (dir: string, table: RollupTable) => `read_parquet(${quote(getTableFile(dir, table))})`;

/** Returns null if there is no roll-up that is valid for this snapshot and these thresholds. */
export async function readRollupMeta({ dir, manifest, bigkeys }: SnapshotRef): Promise<RollupMeta | null> {
  let meta: RollupMeta;
  try {
    meta = (await readChecked(getRollupMetaFile(dir))) as RollupMeta;
    await Promise.all(ALL_TABLES.map((table) => access(getTableFile(dir, table))));
  } catch {
    // It is not made yet or damaged. Reports then read the keys.
    return null;
  }
  if (meta.endedAt !== manifest.endedAt) return null;
  return bigkeys === undefined || hasSameThresholds(meta.bigkeys, bigkeys) ? meta : null;
}

/** Call this last, when all tables are complete. */
export const writeRollupMeta = (dir: string, meta: RollupMeta): Promise<void> =>
  writeChecked(getRollupMetaFile(dir), JSON.stringify(meta));

export const getRollupMetaFile = (dir: string): string => path.join(getRollupFolder(dir), META);

const hasSameThresholds = (a: BigkeyThresholds, b: BigkeyThresholds) =>
  a.stringBytes === b.stringBytes && a.elements === b.elements && a.collectionBytes === b.collectionBytes;
