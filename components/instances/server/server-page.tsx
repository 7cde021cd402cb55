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
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
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
      {report ? <Contents /> : null}
      {report ? <ErrorAlert error={query.error} /> : null}
      {query.error && !report ? (
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : !report ? (
        <Card role="status" aria-label={t('test.running')}>
          <SkeletonRows rows={8} />
        </Card>
      ) : null}
      <EachCard>
        {report ? (
          <section id="warnings" aria-label={t('report.warnings')} className="scroll-mt-16 space-y-2">
            <h2 className="px-1 font-semibold">{t('report.warnings')}</h2>
            {report.warnings.length > 0 ? (
              <WarningList warnings={report.warnings} />
            ) : (
              <p className="px-1 text-muted-foreground">{t('report.noWarnings')}</p>
            )}
          </section>
        ) : null}
        {report || query.error ? (
          <DestinationsCard
            instanceId={instanceId}
            unconfirmed={report?.unconfirmed ?? getUnconfirmedAddresses(query.error)}
          />
        ) : null}
        {report ? <ReportCards instanceId={instanceId} report={report} /> : null}
        <ServerRulesCard instanceId={instanceId} />
        {report ? (
          <Card id="permissions" className="scroll-mt-16">
            <CardHeader title={t('report.capabilities')} />
            <CardBody>
              <CapabilityTable capabilities={report.capabilities} />
            </CardBody>
          </Card>
        ) : null}
        {report ? <AclUserCard server={report} may="scan" /> : null}
        {report ? <AclUserCard server={report} may="delete" /> : null}
        {report ? null : <WriteUserCard instanceId={instanceId} />}
      </EachCard>
    </div>
  );
}

/** The nodes of the report, its databases, what is known of the server, and the user that changes keys. */
function ReportCards({ instanceId, report }: { instanceId: string; report: ConnectionReport }) {
  const t = useTranslations('instances');
  return (
    <EachCard>
      <Card id="nodes" className="scroll-mt-16">
        <CardHeader title={t('report.nodes')} />
        <NodeTable report={report} />
      </Card>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <EachCard>
            {report.databases && report.databases.length > 0 ? (
              <Card>
                <CardHeader title={t('report.databases')} />
                <DatabaseTable databases={report.databases} />
              </Card>
            ) : null}
            <WriteUserCard instanceId={instanceId} />
          </EachCard>
        </div>
        <EachCard>
          <Card>
            <CardHeader title={t('server.title')} />
            <CardBody className="py-2">
              <ReportFacts report={report} />
            </CardBody>
          </Card>
        </EachCard>
      </div>
    </EachCard>
  );
}

/** Links to the parts of the page, which is several screens long. */
function Contents() {
  const word = useTranslations();
  const parts = [
    ['warnings', word('instances.report.warnings')],
    ['addresses', word('instances.destinations.title')],
    ['nodes', word('instances.report.nodes')],
    ['write-user', word('instances.writeUser.title')],
    ['standards', word('serverAudit.title')],
    ['slowlog', word('serverAudit.slowlog')],
    ['commands', word('serverAudit.commands')],
    ['latency', word('serverAudit.latency')],
    ['permissions', word('instances.report.capabilities')],
  ] as const;
  return (
    <nav aria-label={word('ui.onThisPage')} className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {parts.map(([id, name]) => (
        <a key={id} href={`#${id}`} className="rounded text-accent hover:underline">
          {name}
        </a>
      ))}
    </nav>
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
