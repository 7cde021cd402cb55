import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { computeChecksums } from '@/lib/snapshots/folder/checksums';
import { sealedSql } from '@/lib/snapshots/query/columns';
import { type Connection, queryRows, quote, quoteFiles, withConnection } from '@/lib/snapshots/query/duckdb';
import { listSealedRanges } from '@/lib/snapshots/query/key-ranges';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { writeSorted } from '@/lib/snapshots/seal/write-sorted';
import { findStorms } from './find-storms';
import { rollUpFile } from './roll-up-file';
import {
  ALL_TABLES,
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

interface RollupOptions {
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Number of new rows after which storms are evaluated; see find-storms.ts. */
  pendingRows?: number;
}

const NUMBERS = 'rollup_numbers';
const FORMAT = { groupRows: 16_384 };
/** Maximum number of nodes for which the number of ids is kept. */
const MAX_ID_NODES = 20_000;

/**
 * Reads a sealed snapshot once, range by range, so that memory does not grow with the number of keys. It writes the
 * groups of keys that reports distinguish, with their sums (roll-up-file.ts). At the end it sums the tables of the
 * ranges, by paths that are settled over all of them. After a crash it begins again. If a valid roll-up exists, it
 * returns that at once.
 */
export async function makeRollup(
  ref: SnapshotRef,
  { signal, onProgress, pendingRows }: RollupOptions = {},
): Promise<RollupMeta> {
  const { dir, manifest, bigkeys = STANDARD_THRESHOLDS } = ref;
  const known = await readRollupMeta({ ...ref, bigkeys });
  if (known) return known;
  await rm(getRollupMetaFile(dir), { force: true });
  await rm(getPartsFolder(dir), { recursive: true, force: true });
  await mkdir(getPartsFolder(dir), { recursive: true, mode: 0o700 });
  const ranges = listSealedRanges(dir, manifest);
  const parts = ranges.map((_, index) => String(index).padStart(4, '0'));
  const asOf = getSnapshotAsOf(manifest);
  for (const [index, keys] of ranges.entries()) {
    signal?.throwIfAborted();
    await withConnection(dir, { signal }, (connection) =>
      rollUpFile(connection, { keys, asOf, bigkeys }, async (table, select) => {
        await writeSorted(connection, dir, getPartFile(parts[index]!, table), select, FORMAT);
      }),
    );
    onProgress?.({ done: index + 1, total: ranges.length });
  }
  const all = `(${sealedSql(dir, manifest)})`;
  const sums = await withConnection(dir, { signal }, async (connection) => {
    const storms = await findStorms(connection, { ranges, asOf, pendingRows }, createTableWriter(connection, dir));
    return { storms, ...(await sumPartials(connection, dir, parts, all)) };
  });
  const bytes = await Promise.all(ALL_TABLES.map(async (table) => (await stat(getTableFile(dir, table))).size));
  const meta: RollupMeta = {
    endedAt: manifest.endedAt,
    asOf,
    bigkeys,
    ...sums,
    bytes: bytes.reduce((total, tableBytes) => total + tableBytes, 0),
    checksums: await computeChecksums(dir, ALL_TABLES.map(getTableName)),
  };
  await rm(getPartsFolder(dir), { recursive: true });
  await writeRollupMeta(dir, meta);
  return meta;
}

/** Folder of the tables of single ranges, which are removed after they were summed. */
const PARTS = path.join(ROLLUP_FOLDER, 'parts');
const getPartsFolder = (dir: string) => path.join(dir, PARTS);
const getPartFile = (part: string, table: RollupFile) => path.join(PARTS, `${part}-${table}.parquet`);

const createTableWriter = (connection: Connection, dir: string) => (table: RollupTable, select: string) =>
  writeSorted(connection, dir, path.relative(dir, getTableFile(dir, table)), select, FORMAT);

/** Sums the tables of the ranges into those of the roll-up. `keys`: a sub-select in brackets with all keys. */
async function sumPartials(
  connection: Connection,
  dir: string,
  parts: readonly string[],
  keys: string,
): Promise<Pick<RollupMeta, 'paths' | 'cells' | 'tagCount'>> {
  const partialFilesSql = (table: RollupFile, some = parts) => {
    const files = some.map((part) => getPartFile(part, table));
    return `read_parquet([${quoteFiles(dir, files)}])`;
  };
  const write = createTableWriter(connection, dir);
  try {
    await numberPaths(connection, (part) => partialFilesSql('cells', [part]), parts);
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
        parts.map((part) => partialFilesSql('ids', [part])),
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
  await write(known ? summedTagsSql(files) : tagsSql(NO_TAGS));
  if (!known) return null;
  const [tags] = await queryRows<{ n: number }>(
    connection,
    `SELECT count(*) AS n FROM (SELECT tag FROM ${files} GROUP BY 1)`,
  );
  return tags!.n;
}
const NO_TAGS = "(SELECT ''::VARCHAR AS tag, 0::USMALLINT AS slot, 0::BIGINT AS bytes WHERE false)";

/**
 * How many different ids a folded node stands for in one range. Ranges are cut between names and not between ids, so
 * the last id of one range may be the first of the next, and then counts once. In the order of names, those that end
 * with an id are apart from those that continue after it. A node that has both is not counted, because the same id may
 * be in both.
 */
interface RangeIds extends Record<string, unknown> {
  node: string;
  leaf: boolean;
  segments: number;
  begins: string;
  ends: string;
}

/** Returns the SELECT of the table `ids`, with the columns node and segments. `files`: one for each range, for FROM. */
async function mergeIds(connection: Connection, files: readonly string[]): Promise<string> {
  const nodes = new Map<string, { leaf: boolean; segments: number; ends: string; mixed: boolean }>();
  for (const file of files) {
    for (const { node, leaf, segments, begins, ends } of await queryRows<RangeIds>(
      connection,
      `SELECT * FROM ${file}`,
    )) {
      const known = nodes.get(node);
      if (!known) nodes.set(node, { leaf, segments, ends, mixed: false });
      else {
        known.mixed ||= known.leaf !== leaf;
        known.segments += segments - (known.ends === begins ? 1 : 0);
        known.ends = ends;
      }
    }
  }
  const rows = [...nodes].filter(([, { mixed }]) => !mixed).slice(0, MAX_ID_NODES);
  if (rows.length === 0) return `SELECT '' AS node, 0::BIGINT AS segments WHERE false`;
  return `SELECT * FROM (VALUES ${rows.map(([node, { segments }]) => `(${quote(node)}, ${segments}::BIGINT)`).join(', ')}) t(node, segments) ORDER BY node`;
}

/**
 * Creates the table NUMBERS: the path in the files (`raw`), the settled path (`text`) and its position in the order of
 * texts (`number`).
 */
async function numberPaths(
  connection: Connection,
  cells: (part: string) => string,
  parts: readonly string[],
): Promise<void> {
  const settled = new SettledPaths();
  const readPaths = (part: string) =>
    queryRows<{ path: string }>(connection, `SELECT DISTINCT path FROM ${cells(part)}`);
  for (const part of parts) for (const { path } of await readPaths(part)) settled.add(path);
  settled.settle();
  await connection.run(`CREATE OR REPLACE TEMP TABLE rollup_texts (raw VARCHAR, text VARCHAR)`);
  const appender = await connection.createAppender('rollup_texts', 'main', 'temp');
  for (const part of parts)
    for (const { path } of await readPaths(part)) {
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
