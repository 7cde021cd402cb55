import { prefetchAudit } from '@/app/prefetch-pages';
import { AuditPage } from '@/components/audit/audit-page';
import { Prefetched } from '@/components/data/first-html/prefetched';

export default function Page({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  return (
    <Prefetched read={prefetchAudit(searchParams)}>
      <AuditPage />
    </Prefetched>
  );
}
