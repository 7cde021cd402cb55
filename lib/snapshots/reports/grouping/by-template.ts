import type { ReportQuery } from '@/lib/model/reports/query';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { RolledSource } from '@/lib/snapshots/reports/cells';
import { toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';

/** If there are more templates, they are ordered first, and details are computed only for those that are shown. */
const MAX_TEMPLATES = 2000;

/**
 * The templates on the path of a query, if they are few: whatever else the query filters by, its keys have no other
 * template. The files store templates as numbers, so grouping by them costs less than reading names. null: there are
 * many, or they are not known.
 */
export function listTemplatesOnPath(source: RolledSource, query: ReportQuery): ReadonlySet<string> | null {
  const { prefix, template, delimiter = TEMPLATE_DELIMITER } = query;
  const scope = findRollupScope(source.rollup, 'cells', { prefix, template, delimiter });
  const paths = scope?.paths.map((number) => source.rollup!.paths[number]!);
  if (!paths || paths.some(({ segments }) => segments.includes(CUT))) return null;
  const found = new Set(paths.map(toTemplate));
  return found.size <= MAX_TEMPLATES ? found : null;
}
