import { cursorAfter, orderOf } from '@/lib/key-query/keyset';
import { decodeKey } from '@/lib/model/key-id';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS, REPORTS } from '@/lib/model/reports/registry';
import type {
  BigkeysReport,
  PatternsReport,
  ReportName,
  ReportResults,
  SlotsReport,
  TreeReport,
} from '@/lib/model/reports/reports';
import type { SnapshotRef } from '@/lib/snapshots/with-source';
import { DEFAULT_LIMIT } from './bigkeys';
import { nodeOf } from './node-of';
import { arrangePatterns } from './patterns';
import { simulate } from './slots';
import { readAnswer } from './stored-answers';
import { arrangeTree } from './tree';

/** How a stored answer, made with WIDE limits, serves a query that wants it sorted or cut. null: it cannot. */
type Fit<N extends ReportName> = (stored: ReportResults[N], query: ReportQuery) => ReportResults[N] | null;

const plainOnly = <N extends ReportName>(...unless: (keyof ReportQuery)[]): Fit<N> => {
  return (stored, query) => (unless.some((field) => query[field] !== undefined) ? null : stored);
};

const FITS: { [N in ReportName]?: Fit<N> } = {
  tree: (stored: TreeReport, query) => arrangeTree(stored, query),
  patterns: (stored: PatternsReport, query) => arrangePatterns(stored, query),
  bigkeys: firstBigkeys,
  overview: plainOnly('sort'),
  types: plainOnly(),
  ttl: plainOnly('buckets', 'limit'),
  idle: plainOnly('days', 'limit'),
  slots: (stored: SlotsReport, query) => {
    if (query.limit !== undefined) return null;
    return { ...stored, simulation: query.masters === undefined ? null : simulate(stored.slots, query.masters) };
  },
};

/** A report without an entry above is served where nothing but the node is asked. */
const SHAPING = ['sort', 'limit', 'cursor', 'buckets', 'days', 'masters'] as const;

/** Reports of which answers are kept. The list of keys is cheap to ask and endless in its variants. */
export const STORED = REPORTS.filter((name) => REPORT_ROWS[name].computedAhead);

export async function fromStored<N extends ReportName>(
  ref: SnapshotRef,
  name: N,
  query: ReportQuery,
): Promise<ReportResults[N] | null> {
  if (!STORED.includes(name)) return null;
  const serve = (FITS[name] as Fit<N> | undefined) ?? plainOnly<N>(...SHAPING);
  const node = nodeOf(query);
  if (node === null) return null;
  for (const kept of [node, orderedNode(node, query.sort)]) {
    const stored = await readAnswer(ref, name, kept);
    const served = stored === null ? null : serve(stored, query);
    if (served !== null) return served;
  }
  return null;
}

/** Where an answer lies that was cut in another order than the usual one. */
export const orderedNode = (node: string, sort: string | undefined) => `${node}|${(sort ?? '-keys').toLowerCase()}`;

/** The first page in the usual order; further pages and other orders are asked live. */
function firstBigkeys(stored: BigkeysReport, query: ReportQuery): BigkeysReport | null {
  const order = orderOf(query.sort, '-bytes');
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (query.cursor !== undefined || order.sort !== '-bytes') return null;
  if (stored.rows.length <= limit) return stored.nextCursor === null || stored.rows.length === limit ? stored : null;
  const rows = stored.rows.slice(0, limit);
  const last = rows.at(-1)!;
  if (last.k === null) return null; // Its identity is not in the row.
  const bytes = decodeKey(last.k);
  const raw = bytes.equals(Buffer.from(last.name)) ? null : bytes;
  return { ...stored, rows, nextCursor: cursorAfter(order, { ...last, raw, sha256: null }, last.bytes) };
}
