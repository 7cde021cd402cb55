import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { sealedSql } from '@/lib/snapshots/query/columns';
import { type Connection, queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { SEALED_AT_ONCE } from '@/lib/snapshots/query/lanes';
import { doneInOrder } from './done-in-order';

/** Figures of a sealed snapshot that its description and the lists of snapshots tell. */
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

const COUNTS = ['keys', 'bytes', 'sized', 'bigkeys', 'none', 'type', 'ttl', 'length', 'encoding', 'idle'] as const;

export type Counts = Record<(typeof COUNTS)[number], number>;

/** What is counted, and of what. */
export interface CountingStats {
  dir: string;
  signal?: AbortSignal | undefined;
  bigkeys: BigkeyThresholds;
  others?: SnapshotManifest['notHyperloglogs'];
}

/** File by file: each is a question that ends soon, so that a stop is heard. */
export async function sealedStats(
  counting: CountingStats,
  files: readonly string[],
): Promise<Omit<SealStats, 'duplicatesRemoved'>> {
  const { dir, signal } = counting;
  const counts: Counts[] = [];
  await doneInOrder(
    files,
    SEALED_AT_ONCE,
    (file) => withConnection(dir, { signal, lane: 'seal' }, (connection) => countsOf(connection, counting, file)),
    async (row) => {
      counts.push(row);
    },
  );
  return statsFrom(dir, files, counts);
}

/** The sum of what was counted of disjoint rows that these files hold. */
export async function statsFrom(
  dir: string,
  files: readonly string[],
  counts: readonly Counts[],
): Promise<Omit<SealStats, 'duplicatesRemoved'>> {
  const sum = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;
  for (const row of counts) for (const name of COUNTS) sum[name] += row[name];
  let fileBytes = 0;
  for (const file of files) fileBytes += (await stat(path.join(dir, file))).size;
  const { keys } = sum;
  return {
    keys,
    bytes: sum.sized === 0 && keys > 0 ? null : sum.bytes,
    bigkeys: sum.bigkeys,
    noExpiryKeys: sum.ttl === keys && keys > 0 ? null : sum.none,
    fileBytes,
    unknownFacts: {
      type: keys - sum.type,
      ttl: sum.ttl,
      bytes: keys - sum.sized,
      length: keys - sum.length,
      encoding: keys - sum.encoding,
      idle: sum.idle,
    },
  };
}

/** Of a file with the columns of the sealed ones. */
export async function countsOf(
  connection: Connection,
  { dir, bigkeys, others: notHyperloglogs }: Omit<CountingStats, 'signal'>,
  file: string,
): Promise<Counts> {
  const rows = sealedSql(dir, { files: [file], notHyperloglogs });
  const [row] = await queryRows<Record<keyof Counts, number | null>>(
    connection,
    `SELECT count(*) AS keys, sum(bytes)::DOUBLE AS bytes, count(bytes) AS sized,
         count(*) FILTER (${bigkeySql(bigkeys)}) AS bigkeys,
         count(*) FILTER (expire_at IS NULL AND expiry_known) AS none,
         count(type) AS type, count(*) FILTER (NOT expiry_known) AS ttl, count(length) AS length,
         count(encoding) AS encoding, count(*) FILTER (idle_seconds IS NULL AND freq IS NULL) AS idle
       FROM (${rows})`,
  );
  return Object.fromEntries(COUNTS.map((name) => [name, row![name] ?? 0])) as Counts;
}
