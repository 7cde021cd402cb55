import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { MAX_EXPIRE_AT } from '@/lib/model/snapshots/facts-page';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { TEMPLATE_COLUMN } from './columns';
import { queryRows, withConnection } from './duckdb';
import { hashTagSql } from './hash-tag';
import type { Source } from './with-source';

/**
 * A row that no scan read, such as a name to lint or one live key. It gets the same columns as a snapshot, so that the
 * same predicates apply to it. A fact that is absent is unknown.
 */
export interface AdHocRow {
  /** Display form. */
  name: string;
  /** Exact bytes of the name; only if `name` is not exact. */
  raw?: Uint8Array | null;
  nameBytes?: number;
  type?: string | null;
  encoding?: string | null;
  /** Epoch ms; null with `expiryKnown` means no expiry. */
  expireAt?: number | null;
  expiryKnown?: boolean;
  bytes?: number | null;
  length?: number | null;
  idleSeconds?: number | null;
  /** Whether a string is a HyperLogLog; null: its header was not read. */
  hyperloglog?: boolean | null;
}

export interface AdHocOptions {
  /** The folder of a snapshot, whose database is used. Default: a database of its own in the temporary folder. */
  dir?: string;
  /** The moment TTLs are counted from, epoch ms. Default: now. */
  asOf?: number;
  lazyfreeLazyExpire?: boolean | null;
}

/** Number of tables made so far, for different names. */
let tables = 0;

/**
 * Runs `use` on a source that holds these rows. Besides the usual columns each row has `ordinal`, its index (0, 1, …).
 */
export async function withRows<T>(
  rows: readonly AdHocRow[],
  use: (source: Source) => Promise<T>,
  options: AdHocOptions = {},
): Promise<T> {
  const dir = options.dir ?? (await prepareEmptyFolder());
  return withConnection(dir, { lane: 'small' }, async (connection) => {
    const table = `ad_hoc_${++tables}`;
    await connection.run(
      `CREATE TEMP TABLE ${table} (ordinal INTEGER, name VARCHAR, raw BLOB, name_bytes UINTEGER, type VARCHAR, encoding VARCHAR,
        expire_at BIGINT, expiry_known BOOLEAN, bytes BIGINT, length BIGINT, idle_seconds UINTEGER, hyperloglog BOOLEAN)`,
    );
    try {
      const appender = await connection.createAppender(table, 'main', 'temp');
      const appendOptional = <V>(value: V | null | undefined, append: (value: V) => void) =>
        value === null || value === undefined ? appender.appendNull() : append(value);
      rows.forEach((row, i) => {
        appender.appendInteger(i);
        appender.appendVarchar(Buffer.from(row.name).toString());
        appendOptional(row.raw, (raw) => appender.appendBlob(raw));
        appender.appendUInteger(row.nameBytes ?? row.raw?.length ?? Buffer.byteLength(row.name));
        appendOptional(row.type, (type) => appender.appendVarchar(type));
        appendOptional(row.encoding, (encoding) => appender.appendVarchar(encoding));
        appendOptional(row.expireAt, (at) => appender.appendBigInt(BigInt(Math.trunc(Math.min(at, MAX_EXPIRE_AT)))));
        appender.appendBoolean(row.expiryKnown ?? row.expireAt !== undefined);
        appendOptional(row.bytes, (bytes) => appender.appendBigInt(toWholeBigInt(bytes)));
        appendOptional(row.length, (length) => appender.appendBigInt(toWholeBigInt(length)));
        appendOptional(row.idleSeconds, (idle) => appender.appendUInteger(Math.min(idle, 2 ** 32 - 1)));
        appendOptional(row.hyperloglog, (isHyperloglog) => appender.appendBoolean(isHyperloglog));
        appender.endRow();
      });
      appender.closeSync();
      return await use({
        dir,
        manifest: {
          endedAt: options.asOf,
          lazyfreeLazyExpire: options.lazyfreeLazyExpire ?? null,
          checksums: {},
        } as SnapshotManifest,
        keys: `(SELECT *, NULL::VARCHAR AS sha256, 0::USMALLINT AS node, 0::USMALLINT AS db, NULL::UTINYINT AS freq,
          0::USMALLINT AS slot, ${hashTagSql('name')} AS tag, ${TEMPLATE_COLUMN} FROM ${table})`,
        live: false,
        bigkeys: STANDARD_THRESHOLDS,
        asOf: options.asOf ?? Date.now(),
        connection,
        query: (sql, values = []) => queryRows(connection, sql, values),
        // The rows are in a temporary table, which only this connection can read.
      });
    } finally {
      await connection.run(`DROP TABLE IF EXISTS ${table}`);
    }
  });
}

const toWholeBigInt = (value: number) => BigInt(Math.min(value, Number.MAX_SAFE_INTEGER));

/** Returns a folder that does not exist, in an empty one: the database can read only the parent of its folder. */
async function prepareEmptyFolder(): Promise<string> {
  const root = path.join(tmpdir(), `colonnade-rows-${process.getuid?.() ?? 0}`);
  await mkdir(root, { recursive: true, mode: 0o700 });
  return path.join(root, 'none');
}
