import type { ReportQuery } from '@/lib/model/reports/query';
import type { SlotsReport, Totals } from '@/lib/model/reports/reports';
import { append } from '@/lib/model/text/append';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { type TotalsRow, totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import type { Rollup } from '@/lib/snapshots/rollup/open-rollup';
import { tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import { SLOTS } from '@/lib/snapshots/rollup/slots-sql';
import type { RolledSource } from './cells';

/** How many hash tags are listed by default, those with the most keys first; their total number is reported too. */
const TAGS = 50;
/** Maximum number of groups in memory at a time, which leaves room for everything else there. */
const TAGS_AT_ONCE = 800_000;
/** Maximum number of passes over the keys. With more tags than these can take, some groups are spilled to disk. */
const MAX_PASSES = 16;

type Tags = Pick<SlotsReport, 'tags' | 'tagCount'>;
type All = Pick<Totals, 'keys' | 'bytes'>;
type Row = TotalsRow & { tag: string; slot: number };

/** Reads the hash tags of all keys with the most keys, and the number of all tags, from the roll-up. */
export async function readRollupTags(
  { dir, meta }: Rollup,
  { query }: RolledSource,
  { limit = TAGS }: ReportQuery,
  all: All,
): Promise<Tags> {
  const rows = await query<Row>(
    `SELECT tag, slot, n AS keys, total AS bytes, n - sized AS bytesUnknown FROM ${tableSql(dir, 'tags')}
     ORDER BY keys DESC, bytes DESC, tag LIMIT ${limit}`,
  );
  return { tags: addShares(rows, all), tagCount: meta.tagCount! };
}

/**
 * Finds the hash tags with the most keys, and the number of all tags, in the keys.
 *
 * @param all Keys and bytes of the whole query, of which shares are computed.
 * @param atOnce How many tags are grouped at a time; tests group few.
 */
export async function findTags(
  source: RolledSource,
  query: ReportQuery,
  all: All,
  atOnce = TAGS_AT_ONCE,
): Promise<Tags> {
  const passes = all.keys <= atOnce ? 1 : await countPasses(source, query, atOnce);
  const { rows, tagCount } = await readKeyTags(source, query, query.limit ?? TAGS, passes);
  return { tags: addShares(rows, all), tagCount };
}

const addShares = (rows: readonly Row[], all: All): Tags['tags'] =>
  rows.map(({ tag, slot, keys, bytes }) => ({
    tag,
    slot,
    keys,
    bytes,
    shareKeys: all.keys > 0 ? keys / all.keys : 0,
    shareBytes: all.bytes > 0 ? bytes / all.bytes : 0,
  }));

interface Found {
  /** The tags with the most keys, in this order. */
  rows: Row[];
  tagCount: number;
}

/** All keys of a tag are in one slot. So if there are many tags, ranges of slots are read one after the other. */
async function readKeyTags(source: RolledSource, query: ReportQuery, limit: number, passes: number): Promise<Found> {
  const found: Found = { rows: [], tagCount: 0 };
  for (let pass = 0; pass < passes; pass++) {
    const [from, to] = [pass, pass + 1].map((n) => Math.round((n * SLOTS) / passes));
    const { keys, where } = selectTaggedKeys(source, query);
    if (passes > 1) where.and(`slot >= ${from} AND slot < ${to}`);
    // Groups are counted and compared while they are read: a window function or an ORDER BY would hold all of them once
    // more.
    const rows = await source.query<Row & { tags: number }>(
      `SELECT tags, top.tag AS tag, top.slot AS slot, -top.minusKeys AS keys, -top.minusBytes AS bytes, top.bytesUnknown AS bytesUnknown
       FROM (SELECT tags, unnest(top) AS top FROM (
         SELECT count(*) AS tags, min({minusKeys: -keys, minusBytes: -bytes, tag: tag, slot: slot, bytesUnknown: bytesUnknown}, ${limit}) AS top
         FROM (SELECT tag, min(slot) AS slot, ${totalsSql} FROM ${keys} ${where.sql} GROUP BY tag)))`,
      where.values,
    );
    append(found.rows, rows);
    found.tagCount += rows[0]?.tags ?? 0;
  }
  found.rows.sort(
    (a, b) => b.keys - a.keys || b.bytes - a.bytes || Buffer.compare(Buffer.from(a.tag), Buffer.from(b.tag)),
  );
  return { ...found, rows: found.rows.slice(0, limit) };
}

/** Estimates over how many ranges of slots the tags have to be grouped. */
async function countPasses(source: RolledSource, query: ReportQuery, atOnce: number): Promise<number> {
  const { keys, where } = selectTaggedKeys(source, query);
  const [row] = await source.query<{ tags: number }>(
    `SELECT approx_count_distinct(tag) AS tags FROM ${keys} ${where.sql}`,
    where.values,
  );
  return Math.min(MAX_PASSES, Math.max(1, Math.ceil(row!.tags / atOnce)));
}

function selectTaggedKeys(source: RolledSource, query: ReportQuery) {
  const selected = selectFilteredKeys(source, query);
  selected.where.and('tag IS NOT NULL');
  return selected;
}
