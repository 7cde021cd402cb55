import { auditData } from '@/app/first-answers';
import { withMessages } from '@/app/with-messages';
import { AuditPage } from '@/components/audit/audit-page';
import { Prefetched } from '@/components/data/first-html/prefetched';

function Page({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  return (
    <Prefetched read={auditData(searchParams)}>
      <AuditPage />
    </Prefetched>
  );
}

export default withMessages('/audit', Page);
