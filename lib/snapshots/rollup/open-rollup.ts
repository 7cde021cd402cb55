import { rm } from 'node:fs/promises';
import { AppError } from '@/lib/model/errors';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { findDamaged } from '@/lib/snapshots/folder/checksums';
import type { Source } from '@/lib/snapshots/query/with-source';
import {
  ALL_TABLES,
  getRollupMetaFile,
  getTableName,
  type RollupMeta,
  readRollupMeta,
  tableSql,
} from './rollup-folder';
import { toLiteral } from './settle-paths';

/** A path as its written segments, and for each segment the text that it stands for (null: a folded id). */
export interface RollupPath {
  segments: string[];
  texts: (string | null)[];
}

/** Returns the `template` of the keys of a path, unless the path is cut. */
export const toTemplate = ({ segments, texts }: RollupPath): string =>
  segments.map((written, i) => (texts[i] === null ? written : (foldSegment(texts[i]!) ?? written))).join(':');

/** The roll-up of one snapshot as queries use it. The number of a path is its index in `paths`. */
export interface Rollup {
  meta: RollupMeta;
  dir: string;
  paths: readonly RollupPath[];
  /** Folded node whose parents are words → the number of different ids it stands for, if that is known. */
  ids: ReadonlyMap<string, number>;
}

/** Maximum number of roll-ups kept open. Their paths are read once, and only a few snapshots are used at a time. */
const MAX_OPEN = 4;
const getOpenRollups = () => getProcessWide('rollups-open', () => new Map<string, Rollup>());

/**
 * Returns null if there is no valid roll-up (yet), or the scan still runs. Errors: `snapshot_unreadable` if it is
 * damaged.
 */
export async function openRollup(source: Source): Promise<Rollup | null> {
  if (source.live) return null;
  const meta = await readRollupMeta(source);
  if (meta === null) return null;
  const known = getOpenRollups().get(source.dir);
  if (known && JSON.stringify(known.meta) === JSON.stringify(meta)) {
    // The map is in the order of the last use.
    getOpenRollups().delete(source.dir);
    getOpenRollups().set(source.dir, known);
    return known;
  }
  const damaged = await findDamaged(source.dir, meta.checksums, ALL_TABLES.map(getTableName));
  if (damaged.length > 0)
    throw new AppError('snapshot_unreadable', 'The roll-up of this snapshot is damaged.', { damaged });
  const texts = await source.query<{ text: string }>(
    `SELECT text FROM ${tableSql(source.dir, 'paths')} ORDER BY number`,
  );
  const ids = await source.query<{ node: string; segments: number }>(`SELECT * FROM ${tableSql(source.dir, 'ids')}`);
  const rollup: Rollup = {
    meta,
    dir: source.dir,
    paths: texts.map(({ text }) => {
      const segments = text.split(':');
      return { segments, texts: segments.map(toLiteral) };
    }),
    ids: new Map(ids.map(({ node, segments }) => [node, segments])),
  };
  getOpenRollups().set(source.dir, rollup);
  for (const dir of getOpenRollups().keys()) {
    if (getOpenRollups().size <= MAX_OPEN) break;
    getOpenRollups().delete(dir);
  }
  return rollup;
}

/** Discards a roll-up that could not be read, so that it is made again. */
export async function forgetRollup(dir: string): Promise<void> {
  getOpenRollups().delete(dir);
  await rm(getRollupMetaFile(dir), { force: true });
}
