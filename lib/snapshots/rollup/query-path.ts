import type { ReportQuery } from '@/lib/model/reports/query';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { escapePath } from '@/lib/snapshots/key-query/folded-path';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';

/** The path of a query in folded form. A prefix is the literal beginning of names; only a template has folded ids. */
export const toQueryPath = ({ prefix, template }: Pick<ReportQuery, 'prefix' | 'template'>): string =>
  toWellFormed(template || escapePath(prefix ?? '', TEMPLATE_DELIMITER));
