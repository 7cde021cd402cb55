import path from 'node:path';
import { quote } from '@/lib/snapshots/query/duckdb';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import type { Source } from '@/lib/snapshots/query/with-source';
import {
  atLevelSql,
  childSql,
  cutLevels,
  foldInto,
  type Pieces,
  piecesSql,
  type RollupLimits,
  withChildren,
} from './cut-levels';

/**
 * SQL that merges rows of one template from several ranges, sorted by template, because queries about a path read them
 * in this order.
 */
const joinedSql = (rows: string) =>
  `SELECT profile, zone, template, violated, exempted, notEvaluated, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes,
     sum(bytesUnknown)::BIGINT AS bytesUnknown, min(firstName) AS firstName, max(lastName) AS lastName, rest, styles
   FROM ${rows} GROUP BY profile, zone, template, violated, exempted, notEvaluated, rest, styles ORDER BY template`;

/**
 * Writes the roll-up of all ranges. A child that was kept in one range and is in the rest of another becomes part of
 * the rest, so that the remaining children of a level with a rest are complete. A child whose names cannot be in the
 * other range is complete already. `rollup` and `numbers` are the files to write: the roll-up, and how many children
 * were cut.
 *
 * @returns whether there is any rest.
 */
export async function joinRanges(
  source: Source,
  ranges: readonly Pieces[],
  limits: RollupLimits,
  rollup: string,
  numbers: string,
): Promise<boolean> {
  let all: Pieces = {
    files: ranges.flatMap(({ files }) => files),
    rows: ranges.reduce((n, { rows }) => n + rows, 0),
    rests: ranges.flatMap(({ rests }) => rests),
  };
  if (all.rests.length > 0 && ranges.length > 1) {
    // Find the children of all levels before any is folded: folded files no longer distinguish the ranges.
    for (const [level, paths] of await findHalvedChildren(source, ranges))
      all = await withChildren(source, all.files, level, () =>
        foldInto(source, all, level, `path IN (${paths.map(quote).join(', ')})`, `halved-${level}`),
      );
  }
  if (all.rows > limits.rows) {
    const file = path.join(path.dirname(all.files[0]!), 'joined.parquet');
    const rows = await writeParquet(source, joinedSql(piecesSql(all.files)), [], file);
    all = await cutLevels(source, { ...all, files: [file], rows }, limits, 'whole');
  }
  await writeParquet(source, joinedSql(piecesSql(all.files)), [], rollup);
  if (all.rests.length === 0) return false;
  await writeParquet(
    source,
    `SELECT profile, zone, template, violated, sum(children)::BIGINT AS children FROM ${piecesSql(all.rests)}
     SEMI JOIN (SELECT template FROM ${piecesSql([rollup])} WHERE rest) USING (template) GROUP BY ALL`,
    [],
    numbers,
  );
  return true;
}

/** Maps a level to the paths of children that were kept in one range and may be in the rest of another. */
async function findHalvedChildren(
  source: Source,
  ranges: readonly Pieces[],
): Promise<[level: number, paths: string[]][]> {
  const read = ranges.map(({ files }, i) => `SELECT ${i} AS range, * FROM ${piecesSql(files)}`).join(' UNION ALL ');
  const rows = `(SELECT *, string_split(template, ':') AS parts FROM (${read}))`;
  const levels = await source.query<{ level: number }>(
    `SELECT DISTINCT len(parts) - 1 AS level FROM ${rows} WHERE rest ORDER BY 1`,
  );
  const halved: [number, string[]][] = [];
  for (const { level } of levels) {
    const head = level === 0 ? `''` : `concat(array_to_string(parts[:${level}], ':'), ':')`;
    const found = await source.query<{ path: string }>(
      `WITH rows AS (SELECT *, ${head} AS parent FROM ${rows}),
         rests AS (SELECT DISTINCT range, parent FROM rows WHERE rest AND len(parts) = ${level + 1}),
         spans AS (SELECT range, min(firstName) AS first, max(lastName) AS last FROM rows GROUP BY range),
         kept AS (SELECT DISTINCT range, parent, ${childSql(level)} AS path FROM rows SEMI JOIN rests USING (parent) WHERE ${atLevelSql(level)})
       SELECT DISTINCT kept.path AS path
       FROM kept JOIN rests ON kept.parent = rests.parent AND kept.range <> rests.range JOIN spans ON spans.range = rests.range
       -- The names below the path begin with the path and a colon, and ';' is the next character after the colon.
       WHERE (contains(path, '{') OR contains(path, '\\') OR (first < concat(path, ';') AND last >= path))
         AND NOT EXISTS (SELECT 1 FROM kept other WHERE other.range = rests.range AND other.path = kept.path)
       ORDER BY 1`,
    );
    if (found.length > 0) halved.push([level, found.map(({ path }) => path)]);
  }
  return halved;
}
