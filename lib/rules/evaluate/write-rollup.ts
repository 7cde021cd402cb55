import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import { RESTS_FILE, ROLLUP_FILE } from '@/lib/rules/policy/rules-folder';
import { compareNameBytes } from '@/lib/snapshots/key-query/name-range';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { quote } from '@/lib/snapshots/query/duckdb';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import { listKeyRanges } from '@/lib/snapshots/query/key-ranges';
import type { Source } from '@/lib/snapshots/query/with-source';
import { cutLevels, type Pieces, ROLLUP_LIMITS, type RollupLimits } from './cut-levels';
import { joinRanges } from './join-ranges';
import { groupZonesByProfile, type Run, rollupSql } from './pass-sql';

interface WriteOptions {
  signal?: AbortSignal | undefined;
  limits?: RollupLimits;
  /** Called with the number of ranges that are done. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/**
 * Writes the roll-up of all keys, range by range (a few sealed files each), so that memory does not grow with the
 * number of keys: the rows of a range are written, its wide levels are cut, and the pieces are joined at the end. The
 * result equals that of one statement over all keys, except for the cuts (cut-levels.ts).
 *
 * If nearly every key has a template of its own, a range is too large to be read at once and is read in slices.
 *
 * @returns whether wide levels were cut, so that RESTS_FILE exists.
 */
export async function writeRollup(
  source: Source,
  compiled: CompiledPolicy,
  folder: string,
  { signal, limits = ROLLUP_LIMITS, onProgress }: WriteOptions = {},
): Promise<boolean> {
  const runs = groupZonesByProfile(compiled.zones);
  const ranges: Pieces[] = [];
  let isCrowded = (await estimateFirstTemplates(source)) > limits.crowdedRows;
  const scratch = path.join(folder, 'ranges');
  await mkdir(scratch, { mode: 0o700 });
  const keyRanges = listKeyRanges(source);
  for (const [i, keys] of keyRanges.entries()) {
    onProgress?.({ done: i, total: keyRanges.length });
    const pieces: Pieces = { files: [], rows: 0, rests: [] };
    const runsWithin = runs.length === 1 ? runs : await findRunsWithin(source, keys, runs);
    for (const slice of isCrowded ? await cutSlices(source, keys, limits.sliceKeys) : [keys]) {
      for (const run of runsWithin) {
        signal?.throwIfAborted();
        const file = path.join(scratch, `range-${i}-${pieces.files.length}.parquet`);
        const where = new Where();
        pieces.rows += await writeParquet(source, rollupSql(slice, where, compiled, run), where.values, file);
        pieces.files.push(file);
      }
    }
    isCrowded = pieces.rows > limits.crowdedRows;
    signal?.throwIfAborted();
    if (pieces.files.length > 0)
      ranges.push(await cutLevels(source, pieces, { width: limits.width, rows: limits.rangeRows }, `cut-${i}`));
  }
  signal?.throwIfAborted();
  onProgress?.({ done: keyRanges.length, total: keyRanges.length });
  const rests = await joinRanges(source, ranges, limits, path.join(folder, ROLLUP_FILE), path.join(folder, RESTS_FILE));
  await rm(scratch, { recursive: true });
  return rests;
}

/**
 * Returns the runs that have names in a range. The others would find nothing, and planning their statements takes
 * longer than running them.
 */
async function findRunsWithin(source: Source, keys: string, runs: readonly Run[]): Promise<Run[]> {
  const [names] = await source.query<{ first: string | null; last: string | null }>(
    `SELECT min(name) AS first, max(name) AS last FROM ${keys}`,
  );
  const { first, last } = names!;
  // For an empty file any run will do: its roll-up is empty, but it must exist.
  if (first === null || last === null) return runs.slice(0, 1);
  return runs.filter(({ ranges }) =>
    ranges.some(
      ({ from, to }) => compareNameBytes(from, last) <= 0 && (to === null || compareNameBytes(first, to) < 0),
    ),
  );
}

/** One name in this many is read to estimate. */
const SAMPLE = 64;

/** Estimates the number of templates of the first range from one name in SAMPLE. */
async function estimateFirstTemplates(source: Source): Promise<number> {
  const [row] = await source.query<{ templates: number }>(
    `SELECT count(DISTINCT template) * ${SAMPLE} AS templates FROM ${listKeyRanges(source)[0]} WHERE hash(name) % ${SAMPLE} = 0`,
  );
  return row!.templates;
}

/**
 * Returns sub-selects of `keys` with about `rows` keys each. Keys of the same name, which several databases may have,
 * are in the same slice.
 */
async function cutSlices(source: Source, keys: string, rows: number): Promise<string[]> {
  const cuts = await source.query<{ name: string }>(
    `SELECT DISTINCT name FROM (SELECT name, row_number() OVER () AS place FROM ${keys}) WHERE place % ${rows} = 0 ORDER BY name`,
  );
  return [...cuts, null].map((cut, i) => {
    const from = cuts[i - 1];
    const terms = [
      ...(from === undefined ? [] : [`name >= ${quote(from.name)}`]),
      ...(cut === null ? [] : [`name < ${quote(cut.name)}`]),
    ];
    return terms.length === 0 ? keys : `(SELECT * FROM ${keys} WHERE ${terms.join(' AND ')})`;
  });
}
