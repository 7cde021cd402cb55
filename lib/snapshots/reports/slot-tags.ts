import { splitPieces } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { SlotsReport, Totals } from '@/lib/model/reports/reports';
import { append } from '@/lib/model/text/append';
import { toQueryPath } from '@/lib/snapshots/key-query/folded-path';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { type TotalsRow, totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import type { RollupPath } from '@/lib/snapshots/rollup/open-rollup';
import { tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import { findRollupScope, findWiderScope, narrowsByPathOnly } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';
import { SLOTS } from '@/lib/snapshots/rollup/slots-sql';
import type { RolledSource } from './facts';

/** How many hash tags are listed by default, those with the most keys first; their total number is reported too. */
const TAGS = 50;
/** Maximum number of groups in memory at a time, which leaves room for everything else there. */
const TAGS_AT_ONCE = 800_000;
/** Maximum number of passes over the keys. With more tags than these can take, some groups are spilled to disk. */
const MAX_PASSES = 16;

type Tags = Pick<SlotsReport, 'tags' | 'tagCount'>;
type Row = TotalsRow & { tag: string; slot: number };

/**
 * Finds the hash tags with the most keys, and the number of all tags.
 *
 * @param all Keys and bytes of the whole query, of which shares are computed.
 * @param atOnce How many tags are grouped at a time; tests group few.
 */
export async function findTags(
  source: RolledSource,
  query: ReportQuery,
  all: Pick<Totals, 'keys' | 'bytes'>,
  atOnce = TAGS_AT_ONCE,
): Promise<Tags> {
  const place = decideTagSource(source, query);
  if (place === 'nowhere') return { tags: [], tagCount: 0 };
  const limit = query.limit ?? TAGS;
  const { rows, tagCount } =
    place === 'all'
      ? await readRollupTags(source, limit)
      : await readKeyTags(source, query, limit, all.keys <= atOnce ? 1 : await countPasses(source, query, atOnce));
  return {
    tags: rows.map((row) => ({
      tag: row.tag,
      slot: row.slot,
      keys: row.keys,
      bytes: row.bytes,
      shareKeys: all.keys > 0 ? row.keys / all.keys : 0,
      shareBytes: all.bytes > 0 ? row.bytes / all.bytes : 0,
    })),
    tagCount,
  };
}

/**
 * Decides which tagged keys match a query, by the paths that can have a tag: none (`nowhere`), all of the snapshot,
 * whose tags the roll-up has (`all`), or those that have to be read from the keys (`keys`).
 */
function decideTagSource({ rollup }: RolledSource, query: ReportQuery): 'nowhere' | 'all' | 'keys' {
  // If the query is about all names, the delimiter splits none of its path, so it does not matter.
  const tagQuery = toQueryPath(query) === '' ? { ...query, delimiter: undefined } : query;
  const scope = findWiderScope(rollup, tagQuery);
  if (rollup === null || scope === null) return 'keys';
  if (!scope.paths.some((number) => mayHaveTag(rollup.paths[number]!))) return 'nowhere';
  const exact = narrowsByPathOnly(tagQuery) ? findRollupScope(rollup, 'cells', tagQuery) : null;
  if (rollup.meta.tagCount === null || exact === null) return 'keys';
  const selected = new Set(exact.paths);
  return rollup.paths.every((path, number) => selected.has(number) || !mayHaveTag(path)) ? 'all' : 'keys';
}

/** Whether names of a path may have a hash tag. Among ids only an e-mail address may contain a brace. */
function mayHaveTag({ segments }: RollupPath): boolean {
  const mayHaveBrace = (segment: string) =>
    splitPieces(segment).some((piece) => ('text' in piece ? piece.text.includes('{') : piece.kind === 'email'));
  return segments.some((segment) => segment === CUT || (segment.includes('{') && mayHaveBrace(segment)));
}

interface Found {
  /** The tags with the most keys, in this order. */
  rows: Row[];
  tagCount: number;
}

async function readRollupTags({ rollup, dir, query }: RolledSource, limit: number): Promise<Found> {
  const rows = await query<Row>(
    `SELECT tag, slot, n AS keys, total AS bytes, n - sized AS bytesUnknown FROM ${tableSql(dir, 'tags')}
     ORDER BY keys DESC, bytes DESC, tag LIMIT ${limit}`,
  );
  return { rows, tagCount: rollup!.meta.tagCount! };
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
