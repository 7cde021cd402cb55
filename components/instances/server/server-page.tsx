'use client';
import { RotateCw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorAlert } from '@/components/data/error-alert';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { getUnconfirmedAddresses } from '@/components/data/queries/use-destinations';
import { useServerReport } from '@/components/data/queries/use-instances';
import { useServerAudit } from '@/components/data/queries/use-server-audit';
import { TableMenu } from '@/components/reports/files/table-menu';
import { WarningList } from '@/components/scans/warning-list';
import { ServerRulesCard } from '@/components/server/server-rules-card';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { AclUserCard } from './acl-user-card';
import { CapabilityTable } from './capability-table';
import { DatabaseTable } from './database-table';
import { DestinationsCard } from './destinations-card';
import { NodeTable } from './node-table';
import { ReportFacts } from './report-facts';
import { WriteUserCard } from './write-user-card';

/** Shows what the servers of an instance report now. */
export function ServerPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('instances');
  const query = useServerReport(instanceId);
  const audit = useServerAudit(instanceId);
  const report = query.data;
  const refreshing = query.isFetching || audit.isFetching;
  const refresh = () => {
    void query.refetch();
    void audit.refetch();
  };
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('server.title')}
        description={t('server.intro')}
        actions={
          <>
            {report ? (
              <>
                <span className="text-muted-foreground text-xs">
                  {t.rich('report.checked', { when: () => <TimeAgo at={report.checkedAt} /> })}
                </span>
                <Files />
              </>
            ) : null}
            <Button busy={refreshing} onClick={refresh}>
              {refreshing ? null : <RotateCw aria-hidden />}
              {t('server.refresh')}
            </Button>
          </>
        }
      />
      {report ? <ErrorAlert error={query.error} /> : null}
      {query.error && !report ? (
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : !report ? (
        <Card role="status" aria-label={t('test.running')}>
          <SkeletonRows rows={8} />
        </Card>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <EachCard>
            <Card className="xl:col-span-2">
              <CardHeader title={t('report.nodes')} />
              <NodeTable report={report} />
            </Card>
          </EachCard>
          <div className="min-w-0 space-y-4">
            <EachCard>
              {report.databases && report.databases.length > 0 ? (
                <Card>
                  <CardHeader title={t('report.databases')} />
                  <DatabaseTable databases={report.databases} />
                </Card>
              ) : null}
              <Card>
                <CardHeader title={t('report.capabilities')} />
                <CardBody>
                  <CapabilityTable capabilities={report.capabilities} />
                </CardBody>
              </Card>
              <AclUserCard server={report} may="scan" />
              <AclUserCard server={report} may="delete" />
            </EachCard>
          </div>
          <div className="min-w-0 space-y-4">
            <EachCard>
              <Card>
                <CardHeader title={t('server.title')} />
                <CardBody className="py-2">
                  <ReportFacts report={report} />
                </CardBody>
              </Card>
              <section aria-label={t('report.warnings')} className="space-y-2">
                <h2 className="px-1 font-semibold">{t('report.warnings')}</h2>
                {report.warnings.length > 0 ? (
                  <WarningList warnings={report.warnings} />
                ) : (
                  <p className="px-1 text-muted-foreground">{t('report.noWarnings')}</p>
                )}
              </section>
            </EachCard>
          </div>
        </div>
      )}
      <EachCard>
        {query.data || query.error ? (
          <DestinationsCard
            instanceId={instanceId}
            unconfirmed={report?.unconfirmed ?? getUnconfirmedAddresses(query.error)}
          />
        ) : null}
        <WriteUserCard instanceId={instanceId} />
        <ServerRulesCard instanceId={instanceId} />
      </EachCard>
    </div>
  );
}

/** Exports the tables of this page and of the card with the server rules. */
function Files() {
  const facts = useTranslations('instances.report');
  const audit = useTranslations('serverAudit');
  const words = useTranslations('filters.export');
  const tables = [
    ...(['nodes', 'databases', 'capabilities'] as const).map((id) => ({ id: `server-${id}`, name: facts(id) })),
    ...(['slowlog', 'commands', 'latency'] as const).map((id) => ({ id: `server-${id}`, name: audit(id) })),
  ];
  return <TableMenu label={words('listsLabel')} tables={tables} />;
}
