import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { computeChecksums } from '@/lib/snapshots/folder/checksums';
import { sealedSql } from '@/lib/snapshots/query/columns';
import { type Connection, queryRows, quote, withConnection } from '@/lib/snapshots/query/duckdb';
import { listSealedRanges } from '@/lib/snapshots/query/key-ranges';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { writeSorted } from '@/lib/snapshots/seal/write-sorted';
import { findStorms } from './find-storms';
import { mergeIds } from './merge-ids';
import { type Rows, rollUpFile } from './roll-up-file';
import {
  ALL_TABLES,
  getRollupFolder,
  getRollupMetaFile,
  getTableFile,
  getTableName,
  ROLLUP_FOLDER,
  type RollupFile,
  type RollupMeta,
  type RollupTable,
  readRollupMeta,
  writeRollupMeta,
} from './rollup-folder';
import { SettledPaths } from './settle-paths';
import { MAX_TAG_ROWS, summedSlotsSql, summedTagsSql, tagsSql } from './slots-sql';

/**
 * Options of `makeRollup`, which reads a sealed snapshot once, range by range, so that memory does not grow with the
 * number of keys. It writes the groups of keys that reports distinguish, with their sums (roll-up-file.ts). At the end
 * it sums the tables of the ranges, by paths that are settled over all of them. After a crash it continues after the
 * last finished range. If a valid roll-up exists, it returns that at once.
 */
export interface RollupOptions {
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Number of new rows after which storms are evaluated; see find-storms.ts. */
  pendingRows?: number;
}

const NUMBERS = 'rollup_numbers';
const FORMAT = { groupRows: 16_384 };

export async function makeRollup(
  ref: SnapshotRef,
  { signal, onProgress, pendingRows }: RollupOptions = {},
): Promise<RollupMeta> {
  const { dir, manifest, bigkeys = STANDARD_THRESHOLDS } = ref;
  const known = await readRollupMeta({ ...ref, bigkeys });
  if (known) return known;
  const folder = getRollupFolder(dir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(getRollupMetaFile(dir), { force: true });
  const ranges = listSealedRanges(dir, manifest);
  // Files of one pass belong together: a pass for other thresholds or other ranges must not use them.
  const over = createHash('sha256').update(ranges.join('\n')).digest('hex').slice(0, 16);
  const pass = `${bigkeys.stringBytes}-${bigkeys.elements}-${bigkeys.collectionBytes}-${manifest.endedAt}-${over}`;
  await removeOthers(dir, pass);
  const partials: string[] = [];
  const asOf = getSnapshotAsOf(manifest);
  for (const [index, keys] of ranges.entries()) {
    signal?.throwIfAborted();
    const partial = `part-${pass}-${String(index).padStart(4, '0')}`;
    if (!(await isWhole(dir, partial)))
      await withConnection(dir, { signal }, (connection) =>
        writePartial(connection, dir, partial, { keys, asOf, bigkeys }),
      );
    partials.push(partial);
    onProgress?.({ done: index + 1, total: ranges.length });
  }
  const all = `(${sealedSql(dir, manifest)})`;
  const meta = await withConnection(dir, { signal }, async (connection) => {
    const storms = await findStorms(connection, { ranges, asOf, pendingRows }, createTableWriter(connection, dir));
    return { storms, ...(await sumPartials(connection, dir, partials, all)) };
  });
  const bytes = await Promise.all(ALL_TABLES.map(async (table) => (await stat(getTableFile(dir, table))).size));
  const made: RollupMeta = {
    endedAt: manifest.endedAt,
    asOf,
    bigkeys,
    ...meta,
    bytes: bytes.reduce((total, one) => total + one, 0),
    checksums: await computeChecksums(dir, ALL_TABLES.map(getTableName)),
  };
  await writeRollupMeta(dir, made);
  await removeOthers(dir, null);
  await removeOtherRollups(dir);
  return made;
}

const getPartialFile = (partial: string, table: RollupFile) => path.join(ROLLUP_FOLDER, `${partial}-${table}.parquet`);

/** Whether all tables of a part exist. `ids` is written last. */
async function isWhole(dir: string, partial: string): Promise<boolean> {
  return stat(path.join(dir, getPartialFile(partial, 'ids'))).then(
    () => true,
    () => false,
  );
}

/** Deletes the files that other passes have left, or, with null, those of every pass. */
async function removeOthers(dir: string, pass: string | null): Promise<void> {
  for (const name of await readdir(getRollupFolder(dir)))
    if (name.startsWith('part-') && (pass === null || !name.startsWith(`part-${pass}-`) || name.endsWith('.tmp')))
      await rm(path.join(getRollupFolder(dir), name), { force: true });
}

/** Deletes roll-ups of another version. */
async function removeOtherRollups(dir: string): Promise<void> {
  for (const name of await readdir(dir))
    if (/^rollup-\d+$/.test(name) && name !== ROLLUP_FOLDER)
      await rm(path.join(dir, name), { recursive: true, force: true });
}

async function writePartial(connection: Connection, dir: string, partial: string, rows: Rows): Promise<void> {
  await rollUpFile(connection, rows, async (table, select) => {
    await writeSorted(connection, dir, getPartialFile(partial, table), select, FORMAT);
  });
}

const createTableWriter = (connection: Connection, dir: string) => (table: RollupTable, select: string) =>
  writeSorted(connection, dir, path.relative(dir, getTableFile(dir, table)), select, FORMAT);

async function sumPartials(
  connection: Connection,
  dir: string,
  partials: readonly string[],
  keys: string,
): Promise<Pick<RollupMeta, 'paths' | 'cells' | 'tagCount'>> {
  const partialFilesSql = (table: RollupFile, some = partials) =>
    `read_parquet([${some.map((partial) => quote(path.join(dir, getPartialFile(partial, table)))).join(', ')}])`;
  const write = createTableWriter(connection, dir);
  try {
    await numberPaths(connection, (partial) => partialFilesSql('cells', [partial]), partials);
    const paths = await write(
      'paths',
      `SELECT number, text, sum(n)::BIGINT AS n FROM (SELECT path, n FROM ${partialFilesSql('cells')}) JOIN ${NUMBERS} ON path = raw
       GROUP BY 1, 2 ORDER BY 1`,
    );
    const numberedSql = (table: RollupFile) =>
      `(SELECT * EXCLUDE (path, number, raw, text), number AS path FROM ${partialFilesSql(table)} JOIN ${NUMBERS} ON path = raw)`;
    const cells = await write(
      'cells',
      `SELECT path, node, db, type, encoding, ttl, size, idle, big, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized,
         sum(total)::DOUBLE AS total, min(minBytes) AS minBytes, max(maxBytes) AS maxBytes, sum(measured)::BIGINT AS measured,
         min(minLength) AS minLength, max(maxLength) AS maxLength, min(minExpire) AS minExpire, max(maxExpire) AS maxExpire, min(first) AS first
       FROM ${numberedSql('cells')} GROUP BY ALL ORDER BY ALL`,
    );
    await write(
      'sizes',
      `SELECT path, db, type, encoding, ttl, size, step, sum(n)::BIGINT AS n
       FROM ${numberedSql('sizes')} GROUP BY ALL ORDER BY ALL`,
    );
    await write(
      'moments',
      `SELECT path, db, type, encoding, ttl, size, step, begins, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS total
       FROM ${numberedSql('moments')} GROUP BY ALL ORDER BY ALL`,
    );
    await write(
      'ids',
      await mergeIds(
        connection,
        partials.map((partial) => partialFilesSql('ids', [partial])),
      ),
    );
    await write('slots', summedSlotsSql(partialFilesSql('slots'), keys));
    return {
      paths,
      cells,
      tagCount: await sumTags(connection, partialFilesSql('tags'), (select) => write('tags', select)),
    };
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${NUMBERS}`);
  }
}

/**
 * Writes the table `tags` and returns the number of different tags; null: there are too many, and the table is empty.
 */
async function sumTags(
  connection: Connection,
  files: string,
  write: (select: string) => Promise<unknown>,
): Promise<number | null> {
  const [counted] = await queryRows<{ n: number }>(connection, `SELECT count(*) AS n FROM ${files}`);
  const known = counted!.n <= MAX_TAG_ROWS;
  await write(known ? summedTagsSql(files) : `${tagsSql(NO_TAGS)}`);
  if (!known) return null;
  const [tags] = await queryRows<{ n: number }>(
    connection,
    `SELECT count(*) AS n FROM (SELECT tag FROM ${files} GROUP BY 1)`,
  );
  return tags!.n;
}
const NO_TAGS = "(SELECT ''::VARCHAR AS tag, 0::USMALLINT AS slot, 0::BIGINT AS bytes WHERE false)";

/**
 * Creates the table NUMBERS: the path in the files (`raw`), the settled path (`text`) and its position in the order of
 * texts (`number`).
 */
async function numberPaths(
  connection: Connection,
  cells: (partial: string) => string,
  partials: readonly string[],
): Promise<void> {
  const settled = new SettledPaths();
  const readPaths = (partial: string) =>
    queryRows<{ path: string }>(connection, `SELECT DISTINCT path FROM ${cells(partial)}`);
  for (const partial of partials) for (const { path } of await readPaths(partial)) settled.add(path);
  settled.settle();
  await connection.run(`CREATE OR REPLACE TEMP TABLE rollup_texts (raw VARCHAR, text VARCHAR)`);
  const appender = await connection.createAppender('rollup_texts', 'main', 'temp');
  for (const partial of partials)
    for (const { path } of await readPaths(partial)) {
      appender.appendVarchar(path);
      appender.appendVarchar(settled.getSettled(path));
      appender.endRow();
    }
  appender.closeSync();
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${NUMBERS} AS
     SELECT raw, text, (dense_rank() OVER (ORDER BY text) - 1)::UINTEGER AS number FROM (SELECT DISTINCT raw, text FROM rollup_texts)`,
  );
  await connection.run('DROP TABLE rollup_texts');
}
