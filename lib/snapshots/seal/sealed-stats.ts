import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { sealedSql } from '@/lib/snapshots/query/columns';
import { type Connection, queryRows } from '@/lib/snapshots/query/duckdb';

/**
 * Figures of a sealed snapshot, for its manifest and for the lists of snapshots. `bytes` and `fileBytes` are in bytes;
 * `bytes` is null when the size of no key is known.
 */
export interface SealStats {
  keys: number;
  duplicatesRemoved: number;
  fileBytes: number;
  bytes: number | null;
  bigkeys: number;
  /** null: the expiry of no key is known. */
  noExpiryKeys: number | null;
  unknownFacts: SnapshotManifest['coverage']['unknownFacts'];
}

/** Columns of the query in `sumSealedFacts`. */
const COUNTS = ['keys', 'bytes', 'sized', 'bigkeys', 'none', 'type', 'ttl', 'length', 'encoding', 'idle'] as const;

type CountName = (typeof COUNTS)[number];

interface CountingStats {
  dir: string;
  files: readonly string[];
  bigkeys: BigkeyThresholds;
  notHyperloglogs?: SnapshotManifest['notHyperloglogs'];
}

export async function sumSealedFacts(
  connection: Connection,
  { dir, files, bigkeys, notHyperloglogs }: CountingStats,
): Promise<Omit<SealStats, 'duplicatesRemoved'>> {
  const [row] = await queryRows<Record<CountName, number | null>>(
    connection,
    `SELECT count(*) AS keys, sum(bytes)::DOUBLE AS bytes, count(bytes) AS sized,
         count(*) FILTER (${bigkeySql(bigkeys)}) AS bigkeys,
         count(*) FILTER (expire_at IS NULL AND expiry_known) AS none,
         count(type) AS type, count(*) FILTER (NOT expiry_known) AS ttl, count(length) AS length,
         count(encoding) AS encoding, count(*) FILTER (idle_seconds IS NULL AND freq IS NULL) AS idle
       FROM (${sealedSql(dir, { files, notHyperloglogs })})`,
  );
  const count = Object.fromEntries(COUNTS.map((name) => [name, row![name] ?? 0])) as Record<CountName, number>;
  let fileBytes = 0;
  for (const file of files) fileBytes += (await stat(path.join(dir, file))).size;
  const { keys } = count;
  return {
    keys,
    bytes: count.sized === 0 && keys > 0 ? null : count.bytes,
    bigkeys: count.bigkeys,
    noExpiryKeys: count.ttl === keys && keys > 0 ? null : count.none,
    fileBytes,
    unknownFacts: {
      type: keys - count.type,
      ttl: count.ttl,
      bytes: keys - count.sized,
      length: keys - count.length,
      encoding: keys - count.encoding,
      idle: count.idle,
    },
  };
}
