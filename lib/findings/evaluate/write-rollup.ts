import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CompiledPolicy } from '@/lib/findings/policy/compile-policy';
import { RESTS_FILE } from '@/lib/findings/policy/rules-folder';
import { Where } from '@/lib/key-query/where-clause';
import { quote } from '@/lib/snapshots/query/duckdb';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import { rangesOf } from '@/lib/snapshots/query/ranges-of';
import type { Source } from '@/lib/snapshots/query/with-source';
import { cutLevels, type Pieces, ROLLUP_LIMITS, type RollupLimits } from './cut-levels';
import { joinRanges } from './join-ranges';
import { type Run, rollupSql, runsOf } from './pass-sql';

const ROLLUP_FILE = 'rollup.parquet';

/**
 * The roll-up of all keys, range by range (a sealed file each), so that memory does not grow with keys: what a range
 * comes to is written, its wide levels are cut, and the pieces are joined at the end. The answer is that of one
 * statement over all keys but for the cuts (cut-levels.ts).
 *
 * Where nearly every key makes a template of its own, a range is more than fits well and is asked in slices.
 */
export async function writeRollup(
  source: Source,
  compiled: CompiledPolicy,
  folder: string,
  { signal, limits = ROLLUP_LIMITS }: { signal?: AbortSignal | undefined; limits?: RollupLimits } = {},
): Promise<{ files: string[]; rests: boolean }> {
  const runs = runsOf(compiled.zones);
  const ranges: Pieces[] = [];
  let crowded = await isCrowded(source, limits.crowdedRows);
  const scratch = path.join(folder, 'ranges');
  await mkdir(scratch, { mode: 0o700 });
  for (const [i, keys] of rangesOf(source).entries()) {
    const pieces: Pieces = { files: [], rows: 0, rests: [] };
    const within = runs.length === 1 ? runs : await runsWithin(source, keys, runs);
    for (const slice of crowded ? await slicesOf(source, keys, limits.sliceKeys) : [keys]) {
      for (const run of within) {
        signal?.throwIfAborted();
        const where = new Where();
        const file = path.join(scratch, `range-${i}-${pieces.files.length}.parquet`);
        pieces.rows += await writeParquet(source, rollupSql(slice, where, compiled, run), where.values, file);
        pieces.files.push(file);
      }
    }
    crowded = pieces.rows > limits.crowdedRows;
    signal?.throwIfAborted();
    if (pieces.files.length > 0)
      ranges.push(await cutLevels(source, pieces, { width: limits.width, rows: limits.rangeRows }, `cut-${i}`));
  }
  signal?.throwIfAborted();
  const rests = await joinRanges(source, ranges, limits, path.join(folder, ROLLUP_FILE), path.join(folder, RESTS_FILE));
  await rm(scratch, { recursive: true });
  return { files: [ROLLUP_FILE], rests };
}

/** Profiles that judge names of a range: to plan the others takes longer than to find nothing. */
async function runsWithin(source: Source, keys: string, runs: readonly Run[]): Promise<Run[]> {
  const [names] = await source.query<{ first: string | null; last: string | null }>(
    `SELECT min(name) AS first, max(name) AS last FROM ${keys}`,
  );
  const { first, last } = names!;
  // Any will do for an empty file: its roll-up is empty, and there must be one.
  if (first === null || last === null) return runs.slice(0, 1);
  const [low, high] = [Buffer.from(first), Buffer.from(last)];
  return runs.filter(({ ranges }) =>
    ranges.some(
      ({ from, to }) =>
        Buffer.compare(Buffer.from(from), high) <= 0 && (to === null || Buffer.compare(low, Buffer.from(to)) < 0),
    ),
  );
}

const SAMPLE = 64;

/** Whether a sample of the first range has so many templates that all of them are more than `rows`. */
async function isCrowded(source: Source, rows: number): Promise<boolean> {
  const [row] = await source.query<{ templates: number }>(
    `SELECT count(DISTINCT template) AS templates FROM ${rangesOf(source)[0]} WHERE hash(name) % ${SAMPLE} = 0`,
  );
  return (row?.templates ?? 0) > rows / SAMPLE;
}

/** Cut between names. */
async function slicesOf(source: Source, keys: string, rows: number): Promise<string[]> {
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
