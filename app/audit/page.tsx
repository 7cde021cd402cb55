import { prefetchAudit } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { AuditPage } from '@/components/audit/audit-page';

export default function Page({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  return (
    <Prefetched read={prefetchAudit(searchParams)}>
      <AuditPage />
    </Prefetched>
  );
}
