import { append } from '@/lib/model/text/append';
import { escapedSql } from '@/lib/snapshots/name-sql/folded-segment-sql';
import { type Connection, queryRows, quote } from '@/lib/snapshots/query/duckdb';
import { CUT, FOLD_ABOVE, MAX_CHILDREN, toLiteral } from './settle-paths';

/** Maximum number of paths of one file. With more, wide levels are cut. */
const MAX_FILE_PATHS = 5000;
/** Maximum number of levels that are cut one by one; with more, or below the depth, all paths are cut at one depth. */
const MAX_CUTS = 64;
const MAX_CUT_DEPTH = 8;
/** Maximum number of rounds. Each round decides about the ids below those that the round before has kept. */
const ROUNDS = 3;
/** Ids after this number of segments stay folded. */
const MAX_POSITIONS = 16;
/** Beginning of the names of the tables of `writeDecisions`. */
const KEEP = 'rollup_keep';

/**
 * Decides by which path each key of one file is counted. The path starts as the template, and wide levels are cut. If a
 * level has few different ids, they are kept as they are. This is decided level by level, from the root on, because ids
 * that are kept separate the levels below them. Whether a level has more than 20 different ids is decided by 64 bits of
 * their hashes: ids that share a bit make it look smaller, never larger, and settle-paths.ts counts the rest exactly.
 *
 * @param rows A sub-select in brackets with the columns of keys.
 *
 * @returns The same with the additional column `path`. It reads tables that `dropPlan` removes.
 */
export async function planPaths(connection: Connection, rows: string): Promise<string> {
  let planned = `(SELECT *, ${await cutPathSql(connection, rows)} AS path FROM ${rows})`;
  for (let round = 1; round <= ROUNDS; round++) {
    const decisions = decide(await findIds(connection, planned, round));
    if (decisions.length === 0) break;
    const next = keptSql(planned, round, await writeDecisions(connection, round, decisions));
    if ((await estimateDistinct(connection, next, 'path')) > 2 * MAX_FILE_PATHS) break;
    planned = next;
  }
  return planned;
}

export async function dropPlan(connection: Connection): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) await connection.run(`DROP TABLE IF EXISTS ${KEEP}_${round}`);
}

async function estimateDistinct(connection: Connection, rows: string, column: string): Promise<number> {
  const [row] = await queryRows<{ n: number }>(connection, `SELECT approx_count_distinct(${column}) AS n FROM ${rows}`);
  return row!.n;
}

/** SQL for the template, cut at levels that are too wide to be kept. */
async function cutPathSql(connection: Connection, rows: string): Promise<string> {
  const cuts: string[] = [];
  let path = 'template';
  let depth = 0;
  while ((await estimateDistinct(connection, `(SELECT ${path} AS path FROM ${rows})`, 'path')) > MAX_FILE_PATHS) {
    const parent = depth === 0 ? `''` : `array_to_string(string_split(path, ':')[:${depth}], ':') || ':'`;
    const levels = await queryRows<{ parent: string; children: number }>(
      connection,
      `SELECT ${parent} AS parent, approx_count_distinct(split_part(path, ':', ${depth + 1})) AS children
       FROM (SELECT ${path} AS path FROM ${rows}) WHERE len(string_split(path, ':')) > ${depth} AND NOT contains(path, ${quote(CUT)})
       GROUP BY 1 ORDER BY 2 DESC LIMIT ${2 * MAX_FILE_PATHS}`,
    );
    const wide = levels.filter(({ children }) => children > MAX_CHILDREN);
    const rest = levels.filter(({ children }) => children <= MAX_CHILDREN);
    const hasMany = rest.reduce((sum, { children }) => sum + children, 0) > MAX_FILE_PATHS;
    if (hasMany || wide.length + cuts.length > MAX_CUTS || depth === MAX_CUT_DEPTH) {
      // Cut every path that continues at this depth.
      return depth === 0
        ? quote(CUT)
        : `CASE WHEN len(string_split(template, ':')) > ${depth} THEN array_to_string(string_split(template, ':')[:${depth}], ':') || ${quote(`:${CUT}`)} ELSE template END`;
    }
    append(
      cuts,
      wide.map((level) => level.parent),
    );
    path = `CASE ${cuts.map((cut) => `WHEN starts_with(template, ${quote(cut)}) THEN ${quote(cut + CUT)}`).join(' ')} ELSE template END`;
    if (cuts.length === 0) path = 'template';
    depth++;
    if (levels.length === 0) break;
  }
  return path;
}

interface Ids {
  path: string;
  /** Position in the path, from 1 → a mask of the 64 possible hashes that the ids there have. */
  bits: Map<number, bigint>;
}

/**
 * Returns the paths with ids. After the first round these are only paths in which the round before has kept an id, with
 * the ids after it.
 */
async function findIds(connection: Connection, planned: string, round: number): Promise<Ids[]> {
  const hasIds = `contains(path, '{')${round === 1 ? '' : ` AND kept_round = ${round - 1}`}`;
  const paths = await queryRows<{ path: string }>(
    connection,
    `SELECT path FROM ${planned} WHERE ${hasIds} GROUP BY path LIMIT ${4 * MAX_FILE_PATHS}`,
  );
  const positionsByPath = new Map(paths.map(({ path }) => [path, findIdPositions(path, round > 1)]));
  const all = [...new Set([...positionsByPath.values()].flat())].filter((p) => p <= MAX_POSITIONS);
  if (all.length === 0) return [];
  const bits = all.map(
    (p) => `bit_or(1::UBIGINT << (hash(split_part(name, ':', ${p})) % 64)::INTEGER)::VARCHAR AS at${p}`,
  );
  const found = await queryRows<Record<string, string>>(
    connection,
    `SELECT path, ${bits.join(', ')} FROM ${planned} WHERE ${hasIds} GROUP BY path LIMIT ${4 * MAX_FILE_PATHS}`,
  );
  return found.map((row) => ({
    path: row.path!,
    bits: new Map(
      (positionsByPath.get(row.path!) ?? []).filter((p) => p <= MAX_POSITIONS).map((p) => [p, BigInt(row[`at${p}`]!)]),
    ),
  }));
}

/**
 * Returns the positions of the folded ids of a path, from 1; if `afterKept`, only of those after an id that is kept.
 */
function findIdPositions(path: string, afterKept: boolean): number[] {
  const segments = path.split(':');
  const kept = afterKept ? segments.findIndex((written) => /[0-9@]/.test(written)) : -1;
  return segments.flatMap((written, i) => (toLiteral(written) === null && i > kept ? [i + 1] : []));
}

/** Returns the paths with levels of few different ids, and the positions at which each path keeps them. */
function decide(found: readonly Ids[]): [path: string, positions: number[]][] {
  const levels = new Map<string, bigint>();
  const cutPathAt = (path: string, p: number) => path.split(':').slice(0, p).join(':');
  for (const { path, bits } of found)
    for (const [p, some] of bits) levels.set(cutPathAt(path, p), (levels.get(cutPathAt(path, p)) ?? 0n) | some);
  const hasFewIds = (path: string, p: number) => countBits(levels.get(cutPathAt(path, p))!) <= FOLD_ABOVE;
  return found
    .map(({ path, bits }): [string, number[]] => [path, [...bits.keys()].filter((p) => hasFewIds(path, p))])
    .filter(([, kept]) => kept.length > 0);
}

const countBits = (bits: bigint) => bits.toString(2).replaceAll('0', '').length;

/**
 * Writes the table of a round: the path, the text before, between and after the ids that it keeps (piece0, piece1 …),
 * and the positions of these ids (at1, at2 …). Returns the maximum number of ids that a path keeps.
 */
async function writeDecisions(
  connection: Connection,
  round: number,
  decisions: readonly [path: string, positions: number[]][],
): Promise<number> {
  const max = Math.max(...decisions.map(([, kept]) => kept.length));
  const more = Array.from({ length: max }, (_, i) => `at${i + 1} UTINYINT, piece${i + 1} VARCHAR`);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${KEEP}_${round} (path VARCHAR, piece0 VARCHAR, ${more.join(', ')})`,
  );
  const appender = await connection.createAppender(`${KEEP}_${round}`, 'main', 'temp');
  for (const [path, kept] of decisions) {
    const segments = path.split(':');
    const pieces = [0, ...kept].map((from, i) => {
      const between = segments.slice(from, kept[i] === undefined ? undefined : kept[i] - 1);
      return [...(from > 0 ? [''] : []), ...between, ...(kept[i] === undefined ? [] : [''])].join(':');
    });
    appender.appendVarchar(path);
    appender.appendVarchar(pieces[0]!);
    for (let i = 0; i < max; i++) {
      if (kept[i] === undefined) {
        appender.appendNull();
        appender.appendNull();
      } else {
        appender.appendUTinyInt(kept[i]!);
        appender.appendVarchar(pieces[i + 1]!);
      }
    }
    appender.endRow();
  }
  appender.closeSync();
  return max;
}

/** SQL that puts the kept ids between the pieces. Lists of segments took four times as long as reading the row. */
function keptSql(planned: string, round: number, max: number): string {
  const kept = (i: number) => `${escapedSql(`split_part(p.name, ':', k.at${i})`)} || k.piece${i}`;
  const rest = (i: number): string =>
    i > max ? '' : ` || CASE WHEN k.at${i} IS NULL THEN '' ELSE (${kept(i)})${rest(i + 1)} END`;
  const columns = round === 1 ? 'p.*' : 'p.* EXCLUDE (kept_round)';
  return `(SELECT ${columns} REPLACE (CASE WHEN k.path IS NULL THEN p.path ELSE k.piece0${rest(1)} END AS path),
    CASE WHEN k.path IS NOT NULL THEN ${round} ELSE 0 END AS kept_round
    FROM ${planned} p LEFT JOIN ${KEEP}_${round} k ON k.path = p.path)`;
}
