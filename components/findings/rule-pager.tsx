import { Pager } from '@/components/reports/pager';
import { RULE_PAGE_SIZE } from '@/components/reports/report-params';
import type { usePages } from '@/components/reports/use-pages';

/** Pages through the prefixes or groups of a rule, if there is more than one page. */
export function RulePager(props: {
  pages: ReturnType<typeof usePages>;
  shown: number;
  total: number;
  nextCursor: string | null;
}) {
  if (props.pages.page === 0 && props.nextCursor === null) return null;
  return <Pager pageSize={RULE_PAGE_SIZE} {...props} />;
}
