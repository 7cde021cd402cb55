import { filteredKeys } from '@/lib/key-query/keys-where';
import { type TotalsRow, totalsSql } from '@/lib/key-query/totals-sql';
import { piecesOf } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { SlotsReport, Totals } from '@/lib/model/reports/reports';
import type { RollupPath } from '@/lib/rollup/open-rollup';
import { pathOf } from '@/lib/rollup/path-of';
import { tableSql } from '@/lib/rollup/rollup-folder';
import { narrowsByPathOnly, rollupScope, widerScope } from '@/lib/rollup/scope';
import { CUT } from '@/lib/rollup/settle-paths';
import type { RolledSource } from './facts';

/** The hash tags with the most keys, and how many there are. */
const TAGS = 50;

type Tags = Pick<SlotsReport, 'tags' | 'tagCount'>;
type Row = TotalsRow & { tag: string; slot: number; tags: number };

/** @param all What the question is about, of which the shares are. */
export async function tagsOf(
  source: RolledSource,
  query: ReportQuery,
  all: Pick<Totals, 'keys' | 'bytes'>,
): Promise<Tags> {
  const from = whereTagged(source, query);
  if (from === 'nowhere') return { tags: [], tagCount: 0 };
  const { sql, values } = from === 'all' ? ofRollup(source) : ofKeys(source, query);
  const rows = await source.query<Row>(
    `SELECT * FROM ${sql} ORDER BY keys DESC, bytes DESC, tag LIMIT ${query.limit ?? TAGS}`,
    values,
  );
  return {
    tags: rows.map((row) => ({
      tag: row.tag,
      slot: row.slot,
      keys: row.keys,
      bytes: row.bytes,
      shareKeys: all.keys > 0 ? row.keys / all.keys : 0,
      shareBytes: all.bytes > 0 ? row.bytes / all.bytes : 0,
    })),
    tagCount: rows[0]?.tags ?? 0,
  };
}

/**
 * Which tagged keys are meant, by the paths that can have a tag: none, all of the snapshot, of which the roll-up knows
 * the tags, or those that the keys tell.
 */
function whereTagged({ rollup }: RolledSource, query: ReportQuery): 'nowhere' | 'all' | 'asked' {
  // All names together have no segments that a delimiter would part.
  const asked = pathOf(query) === '' ? { ...query, delimiter: undefined } : query;
  const scope = widerScope(rollup, asked);
  if (rollup === null || scope === null) return 'asked';
  if (!scope.paths.some((number) => mayHaveTag(rollup.paths[number]!))) return 'nowhere';
  const exact = narrowsByPathOnly(asked) ? rollupScope(rollup, 'cells', asked) : null;
  if (rollup.meta.tagCount === null || exact === null) return 'asked';
  const meant = new Set(exact.paths);
  return rollup.paths.every((path, number) => meant.has(number) || !mayHaveTag(path)) ? 'all' : 'asked';
}

/** Of the ids only an address may hold a brace. */
function mayHaveTag({ segments }: RollupPath): boolean {
  const may = (segment: string) =>
    piecesOf(segment).some((piece) => ('text' in piece ? piece.text.includes('{') : piece.kind === 'email'));
  return segments.some((segment) => segment === CUT || (segment.includes('{') && may(segment)));
}

const ofRollup = ({ rollup, dir }: RolledSource) => ({
  sql: `(SELECT tag, slot, n AS keys, total AS bytes, n - sized AS bytesUnknown, ${rollup!.meta.tagCount} AS tags FROM ${tableSql(dir, 'tags')})`,
  values: [],
});

function ofKeys(source: RolledSource, query: ReportQuery) {
  const { keys, where } = filteredKeys(source, query);
  where.and('tag IS NOT NULL');
  const sql = `(SELECT *, count(*) OVER () AS tags FROM (
      SELECT tag, min(slot) AS slot, ${totalsSql} FROM ${keys} ${where.sql} GROUP BY tag))`;
  return { sql, values: where.values };
}
