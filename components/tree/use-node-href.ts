import { buildLevelFilter } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import { useReportHref } from '@/components/reports/use-report-href';
import { useGo } from '@/components/ui/underway/use-go';

type Target = 'keys' | 'bigkeys' | 'ttl' | 'slots' | 'findings' | 'compare';

/** Addresses of other reports about exactly the keys of a node. */
export function useNodeHref(instanceId: string) {
  const href = useReportHref(instanceId);
  const { filter } = useFilter();
  const go = useGo();
  // Findings and comparisons can be limited by prefix only, so they never use `exact`.
  const to = (page: Target, node: { path: string; branchKeys: number }) =>
    href(
      page,
      buildLevelFilter(node.path, node.branchKeys === 0 && page !== 'findings' && page !== 'compare', filter.prefix),
    );
  return { to, open: (page: Target, node: Parameters<typeof to>[1]) => go(to(page, node)) };
}
