import { useRouter } from 'next/navigation';
import { levelFilter } from '@/components/reports/filter/level-filter';
import { useReportHref } from '@/components/reports/use-report-href';

type Target = 'keys' | 'bigkeys' | 'ttl' | 'slots' | 'findings';

/** From a node to another report about exactly its keys. */
export function useNodeHref(instanceId: string) {
  const href = useReportHref(instanceId);
  const router = useRouter();
  const to = (page: Target, node: { path: string }) => href(page, levelFilter(node.path));
  return { to, open: (page: Target, node: { path: string }) => router.push(to(page, node)) };
}
