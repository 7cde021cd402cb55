import { rm } from 'node:fs/promises';
import path from 'node:path';
import { wordStylesSql } from '@/lib/name-sql/word-styles';
import { quote } from '@/lib/snapshots/query/duckdb';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import type { Source } from '@/lib/snapshots/query/with-source';
import { TEMPLATE_SEGMENTS } from './folded-template-sql';

/**
 * Wide levels of a roll-up, cut: of a level with more than `width` children the largest stay, and the rest are one row
 * per combination of violated rules, whose template is the level and whose `rest` is true. How many children that were
 * is noted beside the roll-up (`rests`), by the rules that any of their keys violates. The children that stay are
 * whole.
 */
export interface RollupLimits {
  /** Children of a level; half as many stay. */
  width: number;
  /** Rows of a range; where levels that are not wide make more, they are cut more narrowly. */
  rangeRows: number;
  /** Rows of the whole. */
  rows: number;
  /** A range of more rows than this before it was cut is crowded: the next one is asked in slices of so many keys. */
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

/** Files of a roll-up that are read as one, and the files with numbers of cut children. */
export interface Pieces {
  files: string[];
  rows: number;
  rests: string[];
}

export const piecesSql = (files: readonly string[]) => `read_parquet([${files.map(quote).join(', ')}])`;

/** `name`: what the files made here begin with. Files that were read are removed. */
export async function cutLevels(
  source: Source,
  pieces: Pieces,
  limits: { width: number; rows: number },
  name: string,
): Promise<Pieces> {
  let at = pieces;
  for (let width = limits.width; width >= 2; width = Math.floor(width / 10)) {
    for (let level = 0; level < TEMPLATE_SEGMENTS && at.rows > width; level++)
      at = await cutLevel(source, at, level, width, `${name}-${width}-${level}`);
    if (at.rows <= limits.rows) break;
  }
  return at;
}

/** The path of the child at a level, over rows with `parts`. */
export const childSql = (level: number) => `array_to_string(parts[:${level + 1}], ':')`;
/** Of a child's path: the template of the row that stands for it and others. */
const parentSql = (level: number) =>
  level === 0 ? `''` : `concat(array_to_string(string_split(path, ':')[:${level}], ':'), ':')`;
/** A row of the rest of a level is no child there, and one of the levels above. */
export const atLevel = (level: number) => `len(parts) > ${level} AND NOT (rest AND len(parts) = ${level + 1})`;

/** Rows with the segments of their template, `parts`. */
const partedSql = (files: readonly string[]) =>
  `(SELECT *, string_split(template, ':') AS parts FROM ${piecesSql(files)})`;

/** The children of a level as the table `cut_children`, while `use` runs. */
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
       FROM ${partedSql(files)} WHERE ${atLevel(level)} GROUP BY 1, 2, 3`,
    );
    return await use();
  } finally {
    // The connection goes back to others; its memory does not stay behind.
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
    // Names of one child lie together: the first and the last of a range may go on in the next one.
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

/** Children under `cut` (over `path` and `parent`) become rests. The table `cut_children` holds the children. */
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
    `WITH children AS (SELECT *, CASE WHEN ${atLevel(level)} THEN ${childSql(level)} ELSE '' END AS path, ${atLevel(level)} AS below FROM ${partedSql(pieces.files)}),
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
