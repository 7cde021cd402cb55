import { HYPERLOGLOG_BYTES } from '@/lib/model/keys/recognised-values';
import { prefixSql } from '@/lib/snapshots/key-query/prefix-sql';
import { templateSql } from '@/lib/snapshots/key-query/template-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type SnapshotRef, type Source, withSource } from '@/lib/snapshots/query/with-source';

/**
 * Strings of at most this many bytes of memory are sampled; a value of a kilobyte with its overhead is below. Strings
 * of unknown size are sampled too, because only the beginning is read.
 */
const MAX_SAMPLED_BYTES = 4096;

/** A key whose value is read. It is a type alias and no interface, because rows must be assignable to a record. */
export type SampledKey = {
  name: string;
  node: number;
  db: number;
  bytes: number | null;
};

/**
 * Chooses at most `max` small strings of a snapshot that is being read, spread over the prefixes of rule V20 (ids
 * folded): one of each prefix, then the next of each, prefixes with the most keys first. Within a prefix the hash of
 * the name decides, so the same keyspace gives the same choice. Names whose display form is not their exact bytes are
 * excluded, because a command needs the exact bytes.
 */
export async function chooseSamples(ref: SnapshotRef, max: number, delimiter: string): Promise<SampledKey[]> {
  const chooseFrom = async (source: Source) => {
    const where = new Where();
    const prefixExpression = prefixSql(where, delimiter);
    const pathExpression = templateSql(where, delimiter);
    where.and(`type = 'string' AND raw IS NULL AND sha256 IS NULL AND coalesce(bytes, 0) <= ${MAX_SAMPLED_BYTES}`);
    const smallStringsSql = `(SELECT ${prefixExpression} AS prefix, name, node, db, bytes FROM ${source.keys} ${where.sql})`;
    // `templateSql` folds a column called `name`, so the prefixes are given to it under that name, each of them once.
    const pathsSql = `(SELECT name AS prefix, ${pathExpression} AS path FROM (SELECT DISTINCT prefix AS name FROM ${smallStringsSql}))`;
    const [pathCount] = await source.query<{ paths: number }>(
      `SELECT count(DISTINCT path)::DOUBLE AS paths FROM ${pathsSql}`,
      where.values,
    );
    // Twice the fair share per path (a prefix whose ids are folded), because some paths have fewer keys than their
    // share.
    const keysPerPath = Math.max(1, Math.min(max, Math.ceil((2 * max) / Math.max(1, pathCount?.paths ?? 0))));
    const rows = await source.query<SampledKey>(
      `SELECT pick.name AS name, pick.node::INTEGER AS node, pick.db::INTEGER AS db, pick.bytes::DOUBLE AS bytes
       FROM (SELECT path, keys, unnest(picks) AS pick, unnest(range(len(picks))) AS turn
         FROM (SELECT path, count(*) AS keys,
             min_by({name: name, node: node, db: db, bytes: bytes}, hash(name, db), ${keysPerPath}) AS picks
           FROM ${smallStringsSql} JOIN ${pathsSql} USING (prefix) GROUP BY path))
       ORDER BY turn, keys DESC, path LIMIT ${Math.trunc(max)}`,
      where.values,
    );
    return removeDuplicates(rows);
  };
  return withSource(ref, chooseFrom, { lane: 'work' });
}

/**
 * Chooses at most `max` strings with the length of a dense HyperLogLog, which only their headers can distinguish. The
 * hash of the name decides here too.
 */
export async function chooseHyperLogLogCandidates(ref: SnapshotRef, max: number): Promise<SampledKey[]> {
  const chooseFrom = async (source: Source) =>
    removeDuplicates(
      await source.query<SampledKey>(
        `SELECT name, node::INTEGER AS node, db::INTEGER AS db, bytes::DOUBLE AS bytes FROM ${source.keys}
         WHERE type = 'string' AND length = ${HYPERLOGLOG_BYTES} AND raw IS NULL AND sha256 IS NULL
         ORDER BY hash(name, db) LIMIT ${Math.trunc(max)}`,
      ),
    );
  return withSource(ref, chooseFrom, { lane: 'work' });
}

/** A key may be in two parts of a snapshot that is not sealed. */
const removeDuplicates = (rows: readonly SampledKey[]) => [
  ...new Map(rows.map((row) => [`${row.db} ${row.name}`, row])).values(),
];
