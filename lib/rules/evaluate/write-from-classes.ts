import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import { RESTS_FILE } from '@/lib/rules/policy/rules-folder';
import { rowsWithPartsSql } from '@/lib/rules/sql-context';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { quote } from '@/lib/snapshots/query/duckdb';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import type { Source } from '@/lib/snapshots/query/with-source';
import { cutLevels, type Pieces, ROLLUP_LIMITS } from './cut-levels';
import { joinRanges } from './join-ranges';
import type { MovedBit, ReusableClasses } from './name-classes';
import { bitSql, createPassContext, foldedSql, groupZonesByProfile, violatedSql, zoneExemptSql } from './pass-sql';
import { ROLLUP_FILE, type WrittenRollup } from './write-rollup';

/**
 * Builds the roll-up of all keys from the classes of an earlier evaluation. Verdicts of unchanged rules are reused, and
 * changed rules are evaluated on one name of each class. The result equals that of a pass over all keys, except for the
 * cuts.
 */
export async function writeFromClasses(
  source: Source,
  { folder, files, profiles }: ReusableClasses,
  compiled: CompiledPolicy,
  into: string,
): Promise<WrittenRollup> {
  const read = `read_parquet([${files.map((file) => quote(path.join(folder, file))).join(', ')}])`;
  const scratch = path.join(into, 'ranges');
  await mkdir(scratch, { mode: 0o700 });
  const pieces: Pieces = { files: [], rows: 0, rests: [] };
  for (const run of groupZonesByProfile(compiled.zones)) {
    const profile = compiled.profiles[run.profile]!;
    const { changed, kept, known } = profiles[run.profile]!;
    const where = new Where();
    const sql = createPassContext(where, compiled, profile);
    const asked = violatedSql(changed, sql);
    const mine = `(SELECT * FROM ${read} WHERE profile = ${run.profile})`;
    const rows = /\b(parts|segments)\b/.test(asked) ? `(${rowsWithPartsSql(mine, sql.delimiter)})` : mine;
    const classes = `SELECT zone, template, ${moveBitsSql('mask', kept)} | ${asked} AS mask, ${moveBitsSql('notEvaluated', kept)} AS notEvaluated,
        ${moveBitsSql('exempted', known)} | ${zoneExemptSql(run, profile)} AS exempted, keys, bytes, bytesUnknown, name, lastName
      FROM ${rows}`;
    const file = path.join(scratch, `classes-${run.profile}.parquet`);
    pieces.rows += await writeParquet(source, foldedSql(classes, run.profile), where.values, file);
    pieces.files.push(file);
  }
  const { width, rangeRows } = ROLLUP_LIMITS;
  const cut = await cutLevels(source, pieces, { width, rows: rangeRows }, 'cut');
  const rests = await joinRanges(
    source,
    [cut],
    ROLLUP_LIMITS,
    path.join(into, ROLLUP_FILE),
    path.join(into, RESTS_FILE),
  );
  await rm(scratch, { recursive: true });
  return { files: [ROLLUP_FILE], rests, classes: null };
}

/** SQL that moves the bits of a stored mask to their positions in the current policy. */
function moveBitsSql(column: string, bits: readonly MovedBit[]): string {
  if (bits.length === 0) return '0::UBIGINT';
  if (bits.every(({ from, to }) => from === to))
    return `(${column} & ${bits.reduce((mask, { to }) => mask | (1n << BigInt(to)), 0n)}::UBIGINT)`;
  const each = bits.map(
    ({ from, to }) => `CASE WHEN ${column} & ${bitSql(from)} <> 0 THEN ${bitSql(to)} ELSE 0::UBIGINT END`,
  );
  return `(${each.join(' | ')})`;
}
