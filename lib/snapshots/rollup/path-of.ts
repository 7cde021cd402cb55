import type { ReportQuery } from '@/lib/model/reports/query';
import { wellFormed } from '@/lib/model/text/well-formed';
import { escapePath } from '@/lib/snapshots/key-query/folded-path';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';

/** The path of a query in folded form. A prefix is the literal beginning of names; only a template has folded ids. */
export const pathOf = ({ prefix, template }: Pick<ReportQuery, 'prefix' | 'template'>): string =>
  wellFormed(template || escapePath(prefix ?? '', TEMPLATE_DELIMITER));
