import { rm } from 'node:fs/promises';
import path from 'node:path';
import { wordStylesSql } from '@/lib/snapshots/name-sql/word-styles';
import { quote } from '@/lib/snapshots/query/duckdb';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import type { Source } from '@/lib/snapshots/query/with-source';
import { TEMPLATE_SEGMENTS } from './folded-template-sql';

/**
 * Limits for cutting the wide levels of a roll-up. If a level has more than `width` children, the largest are kept and
 * the rest become one row per combination of violated rules, with the level as its template and `rest` true. The number
 * of children in the rest is stored next to the roll-up (`rests`), by the rules that any of their keys violates.
 * Children that are kept are complete.
 */
export interface RollupLimits {
  /** A level with more children than this is cut; half as many are kept. */
  width: number;
  /**
   * Maximum number of rows of a range. If levels that are not wide add up to more, they are cut with a smaller width.
   */
  rangeRows: number;
  /** Maximum number of rows of the whole roll-up. */
  rows: number;
  /**
   * If a range has more rows than this before it is cut, it is crowded, and the next range is read in slices of
   * `sliceKeys` keys.
   */
  crowdedRows: number;
  sliceKeys: number;
}
export const ROLLUP_LIMITS: RollupLimits = {
  width: 2000,
  rangeRows: 50_000,
  rows: 200_000,
  crowdedRows: 100_000,
  sliceKeys: 250_000,
};

/** Files that are read as one roll-up, their number of rows, and the files with the numbers of cut children. */
export interface Pieces {
  files: string[];
  rows: number;
  rests: string[];
}

export const piecesSql = (files: readonly string[]) => `read_parquet([${files.map(quote).join(', ')}])`;

/**
 * Cuts wide levels with `limits.width`, then with a tenth of it and so on, until at most `limits.rows` rows are left.
 * The names of new files begin with `name`; the files that were read are deleted.
 */
export async function cutLevels(
  source: Source,
  pieces: Pieces,
  limits: { width: number; rows: number },
  name: string,
): Promise<Pieces> {
  let current = pieces;
  for (let width = limits.width; width >= 2; width = Math.floor(width / 10)) {
    for (let level = 0; level < TEMPLATE_SEGMENTS && current.rows > width; level++)
      current = await cutLevel(source, current, level, width, `${name}-${width}-${level}`);
    if (current.rows <= limits.rows) break;
  }
  return current;
}

/** SQL for the path of the child at a level, over rows with `parts`. */
export const childSql = (level: number) => `array_to_string(parts[:${level + 1}], ':')`;
/** SQL for the template of the rest row that a child with this `path` would be part of. */
const parentSql = (level: number) =>
  level === 0 ? `''` : `concat(array_to_string(string_split(path, ':')[:${level}], ':'), ':')`;
/**
 * SQL that is true for rows that belong to a child at this level. The rest row of a level is no child of that level,
 * but belongs to a child of the levels above.
 */
export const atLevelSql = (level: number) => `len(parts) > ${level} AND NOT (rest AND len(parts) = ${level + 1})`;

/** SQL for the rows of the files with the column `parts`, the segments of the template. */
const partedSql = (files: readonly string[]) =>
  `(SELECT *, string_split(template, ':') AS parts FROM ${piecesSql(files)})`;

/** Creates the temporary table `cut_children` with the children of a level for as long as `use` runs. */
export async function withChildren<T>(
  source: Source,
  files: readonly string[],
  level: number,
  use: () => Promise<T>,
): Promise<T> {
  try {
    await source.query(
      `CREATE OR REPLACE TEMP TABLE cut_children AS
       SELECT profile, zone, ${childSql(level)} AS path, sum(keys)::DOUBLE AS keys, bit_or(violated) AS violated
       FROM ${partedSql(files)} WHERE ${atLevelSql(level)} GROUP BY 1, 2, 3`,
    );
    return await use();
  } finally {
    // Drop the tables to free their memory, because the connection is used for other questions afterwards.
    // `cutLevel` creates the last two.
    for (const table of ['cut_children', 'cut_wide', 'cut_kept']) await source.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

async function cutLevel(source: Source, pieces: Pieces, level: number, width: number, name: string): Promise<Pieces> {
  const rows = partedSql(pieces.files);
  return withChildren(source, pieces.files, level, async () => {
    const children = `(SELECT *, ${parentSql(level)} AS parent FROM cut_children)`;
    const wide = await source.query<{ parent: string }>(
      `SELECT parent FROM ${children} GROUP BY parent HAVING count(*) > ${width} ORDER BY parent`,
    );
    if (wide.length === 0) return pieces;
    await source.query(
      `CREATE OR REPLACE TEMP TABLE cut_wide AS SELECT unnest([${wide.map(({ parent }) => quote(parent)).join(', ')}]) AS parent`,
    );
    // Names of one child are adjacent, so the first and the last child of a range may continue in the next range. Keep
    // both.
    await source.query(
      `CREATE OR REPLACE TEMP TABLE cut_kept AS
       SELECT unnest(best).path AS path
       FROM (SELECT min({'size': -keys, 'path': path}, ${Math.max(1, width >> 1)}) AS best FROM ${children} SEMI JOIN cut_wide USING (parent) GROUP BY parent)
       UNION SELECT arg_min(${childSql(level)}, firstName) FROM ${rows}
       UNION SELECT arg_max(${childSql(level)}, lastName) FROM ${rows}`,
    );
    return foldInto(
      source,
      pieces,
      level,
      'parent IN (SELECT parent FROM cut_wide) AND path NOT IN (SELECT path FROM cut_kept)',
      name,
    );
  });
}

/**
 * Turns the children selected by `cut` (SQL over `path` and `parent`) into rest rows. The table `cut_children` must
 * hold the children.
 */
export async function foldInto(
  source: Source,
  pieces: Pieces,
  level: number,
  cut: string,
  name: string,
): Promise<Pieces> {
  const folder = path.dirname(pieces.files[0]!);
  const parent = parentSql(level);
  const file = path.join(folder, `${name}.parquet`);
  const rests = path.join(folder, `${name}-rests.parquet`);
  const styles = `CASE WHEN contains(template, ':') THEN (coalesce(styles, 0) | ${wordStylesSql(':', "':'")})::UTINYINT END`;
  const rows = await writeParquet(
    source,
    `WITH children AS (SELECT *, CASE WHEN ${atLevelSql(level)} THEN ${childSql(level)} ELSE '' END AS path, ${atLevelSql(level)} AS below FROM ${partedSql(pieces.files)}),
       placed AS (SELECT *, ${parent} AS parent FROM children),
       split AS (SELECT *, below AND ${cut} AS cut FROM placed)
     SELECT profile, zone, template, violated, exempted, notEvaluated, keys, bytes, bytesUnknown, firstName, lastName, rest, styles
     FROM split WHERE NOT cut
     UNION ALL
     SELECT profile, zone, parent, violated, exempted, notEvaluated, sum(keys)::BIGINT, sum(bytes), sum(bytesUnknown)::BIGINT, min(firstName), max(lastName), true, styles
     FROM (SELECT * REPLACE (${styles} AS styles) FROM split WHERE cut) GROUP BY profile, zone, parent, violated, exempted, notEvaluated, styles`,
    [],
    file,
  );
  await writeParquet(
    source,
    `SELECT profile, zone, parent AS template, violated, count(*) AS children
     FROM (SELECT *, ${parent} AS parent FROM cut_children) WHERE ${cut} GROUP BY ALL`,
    [],
    rests,
  );
  for (const one of pieces.files) await rm(one, { force: true });
  return { files: [file], rows, rests: [...pieces.rests, rests] };
}
