import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { commitFile } from '@/lib/files/durable';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshot';
import { bigkeySql } from './bigkey-sql';
import { COLUMN_NAMES, partsSql, RARE_SQL, SEALED_FILE, sealedSql, sortedPartsSql } from './columns';
import { queryRows, quote, withConnection } from './duckdb';
import { diskError } from './durable';
import { listParts, removeParts } from './folder';
import { readManifest, writeManifest } from './manifest';
import { createPartWriter } from './part-writer';

/**
 * Parts → one file: each key once with its newest facts, sorted by name, so that a prefix is a few neighbouring row
 * groups. Done twice it gives the same: the file appears under its name only when whole, the manifest follows, and the
 * parts go last. A crash leaves the parts and perhaps a temporary file; sealing again starts from the parts.
 *
 * SCAN may return a key twice. Looking for that by a sorted window over everything would sort twice; instead the hashes
 * that occur more than once are found first (few), and only those rows are compared by their full identity.
 */
export interface SealStats {
  keys: number;
  duplicatesRemoved: number;
  fileBytes: number;
  bytes: number | null;
  bigkeys: number;
  /** null: of no key it is known. */
  noExpiryKeys: number | null;
  unknownFacts: SnapshotManifest['coverage']['unknownFacts'];
}

/** Total, so that the list can be read off the file without sorting (keys.ts). */
const SEALED_ORDER = 'name, db, raw NULLS FIRST, sha256 NULLS FIRST';
const IDENTITY = 'db, name, raw, sha256, name_bytes';
// Level 1 is as small as 3 here and twice as fast; version 2 stores numbers as bit-packed differences.
const FORMAT = 'FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE 65536';

export interface SealOptions {
  /** Builds the final description from the figures; written durably before the parts go. */
  manifest?: (stats: SealStats) => SnapshotManifest | Promise<SnapshotManifest>;
  signal?: AbortSignal;
  /** What the count of bigkeys counts. */
  bigkeys?: BigkeyThresholds;
}

export async function sealSnapshot(
  dir: string,
  parts: readonly string[],
  options: SealOptions = {},
): Promise<SealStats> {
  const limits = { signal: options.signal };
  const before = await readManifest(dir).catch(() => null);
  const sealedAlready = before?.state === 'sealed';
  const stats = await withConnection(dir, limits, async (connection) => {
    const duplicatesRemoved = sealedAlready
      ? (before.coverage.duplicatesRemoved ?? 0)
      : await writeSealedFile(connection, dir, parts.length > 0 ? parts : [await emptyPart(dir)]);
    return { ...(await sealedStats(connection, dir, options.bigkeys ?? STANDARD_THRESHOLDS)), duplicatesRemoved };
  });
  if (options.manifest && !sealedAlready) await writeManifest(dir, await options.manifest(stats));
  // Also parts that no checkpoint knows: a crash between a part and its checkpoint leaves one.
  if (options.manifest || sealedAlready) await removeParts(dir, await listParts(dir));
  return stats;
}

/** An empty keyspace is a snapshot too. */
async function emptyPart(dir: string): Promise<string> {
  const writer = await createPartWriter(dir, { node: 0, db: 0, sequence: 0 });
  return (await writer.finish()).file;
}

async function writeSealedFile(connection: DuckDBConnection, dir: string, parts: readonly string[]): Promise<number> {
  const file = path.join(dir, SEALED_FILE);
  const temporary = `${file}.tmp`;
  const columns = COLUMN_NAMES.join(', ');
  await rm(temporary, { force: true });
  try {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE repeated AS
       SELECT h FROM (SELECT hash(db, name, raw, sha256) AS h FROM (${partsSql(dir, parts)})) GROUP BY h HAVING count(*) > 1`,
    );
    const repeated = (await queryRows<{ n: number }>(connection, 'SELECT count(*) AS n FROM repeated'))[0]!.n;
    const [rows] = await queryRows<{ n: number }>(connection, `SELECT count(*) AS n FROM (${partsSql(dir, parts)})`);
    const rare = (await queryRows<{ n: number }>(connection, RARE_SQL(dir, parts)))[0]!.n > 0;
    const sorted =
      repeated === 0
        ? sortedPartsSql(dir, parts, rare)
        : `SELECT ${columns} FROM (${deduplicatedSql(dir, parts)}) ORDER BY ${SEALED_ORDER}`;
    const [written] = await queryRows<{ Count: number }>(
      connection,
      `COPY (SELECT ${columns} FROM (${sorted})) TO ${quote(temporary)} (${FORMAT})`,
    );
    await commitFile(temporary, file);
    return rows!.n - written!.Count;
  } catch (error) {
    await rm(temporary, { force: true });
    throw await diskError(error, dir);
  } finally {
    await connection.run('DROP TABLE IF EXISTS repeated').catch(() => {});
  }
}

function deduplicatedSql(dir: string, parts: readonly string[]): string {
  const all = partsSql(dir, parts, true);
  const hashed = `SELECT *, hash(db, name, raw, sha256) AS h FROM (${all})`;
  return `SELECT * FROM (${hashed}) WHERE h NOT IN (SELECT h FROM repeated)
    UNION ALL
    SELECT * FROM (${hashed}) WHERE h IN (SELECT h FROM repeated)
    QUALIFY row_number() OVER (PARTITION BY ${IDENTITY} ORDER BY sequence DESC, part_index DESC, row_in_part DESC) = 1`;
}

async function sealedStats(
  connection: DuckDBConnection,
  dir: string,
  bigkeys: BigkeyThresholds,
): Promise<Omit<SealStats, 'duplicatesRemoved'>> {
  const [row] = await queryRows<Record<string, number>>(
    connection,
    `SELECT count(*) AS keys, sum(bytes)::DOUBLE AS bytes, count(bytes) AS sized,
       count(*) FILTER (${bigkeySql(bigkeys)}) AS bigkeys,
       count(*) FILTER (expire_at IS NULL AND expiry_known) AS none,
       count(type) AS type, count(*) FILTER (NOT expiry_known) AS ttl, count(length) AS length,
       count(encoding) AS encoding, count(*) FILTER (idle_seconds IS NULL AND freq IS NULL) AS idle
     FROM (${sealedSql(dir)})`,
  );
  const r = row!;
  const keys = r.keys!;
  return {
    keys,
    bytes: r.sized === 0 && keys > 0 ? null : (r.bytes ?? 0),
    bigkeys: r.bigkeys!,
    noExpiryKeys: r.ttl === keys && keys > 0 ? null : r.none!,
    fileBytes: (await stat(path.join(dir, SEALED_FILE))).size,
    unknownFacts: {
      type: keys - r.type!,
      ttl: r.ttl!,
      bytes: keys - r.sized!,
      length: keys - r.length!,
      encoding: keys - r.encoding!,
      idle: r.idle!,
    },
  };
}
