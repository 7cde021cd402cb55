import type { ReportQuery } from '@/lib/model/reports/query';
import type { PatternsReport, ReportName, ReportResults, SlotsReport, TreeReport } from '@/lib/model/reports/reports';
import type { SnapshotRef } from '@/lib/snapshots/with-source';
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
  overview: plainOnly('sort'),
  types: plainOnly(),
  ttl: plainOnly('buckets', 'limit'),
  idle: plainOnly('days', 'limit'),
  slots: (stored: SlotsReport, query) => {
    if (query.limit !== undefined) return null;
    return { ...stored, simulation: query.masters === undefined ? null : simulate(stored.slots, query.masters) };
  },
};

/** Reports of which answers are kept. The lists (keys, bigkeys) are cheap to ask and endless in their variants. */
export const STORED = Object.keys(FITS) as (keyof typeof FITS)[];

export async function fromStored<N extends ReportName>(
  ref: SnapshotRef,
  name: N,
  query: ReportQuery,
): Promise<ReportResults[N] | null> {
  const serve = FITS[name] as Fit<N> | undefined;
  const node = serve ? nodeOf(name, query) : null;
  if (!serve || node === null) return null;
  const stored = await readAnswer(ref, name, node);
  return stored === null ? null : serve(stored, query);
}
