import { BellOff, BellRing, Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { May } from '@/components/data/may';
import { useAcknowledgeAlert, useAlerts } from '@/components/data/queries/alerts/use-alerts';
import { useErrorToast } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { SkeletonRows } from '@/components/ui/skeleton';
import { toVisibleText } from '@/components/ui/visible-text';
import type { ShownAlert } from '@/lib/model/alerts/alert';
import { SeverityBadge, useAlertSentence, useRuleName } from './alert-sentence';

const SilenceDialog = createLazyPart(() => import('./silence-dialog').then((loaded) => loaded.SilenceDialog));

/** The alerts that are open, or those that have ended, newest first. */
export function AlertList({ state }: { state: 'open' | 'resolved' }) {
  const t = useTranslations('alerts');
  const ui = useTranslations('ui');
  const alerts = useAlerts(state);
  const [silencing, setSilencing] = useState<ShownAlert | null>(null);
  const rows = alerts.data?.pages.flatMap((page) => page.alerts);
  const columns = useColumns(state, setSilencing);
  const id = state === 'open' ? 'alerts-open' : 'alerts-history';
  return (
    <>
      <Card>
        {alerts.error && !rows ? (
          <ErrorState error={alerts.error} onRetry={() => void alerts.refetch()} />
        ) : !rows ? (
          <SkeletonRows rows={6} />
        ) : rows.length === 0 ? (
          <EmptyState icon={state === 'open' ? Check : BellRing} title={t(`none.${state}`)} className="py-20">
            {t(`noneText.${state}`)}
          </EmptyState>
        ) : (
          <DataTable id={id} label={t('title')} columns={columns} rows={rows} rowId={(alert) => alert.id} />
        )}
      </Card>
      {alerts.hasNextPage ? (
        <div className="flex justify-center">
          <Button busy={alerts.isFetchingNextPage} onClick={() => void alerts.fetchNextPage()}>
            {ui('more')}
          </Button>
        </div>
      ) : null}
      {silencing ? (
        <SilenceDialog
          start={{ ruleId: silencing.ruleId, instanceId: silencing.instanceId, subject: silencing.subject || null }}
          onClose={() => setSilencing(null)}
        />
      ) : null}
    </>
  );
}

function useColumns(state: 'open' | 'resolved', onSilence: (alert: ShownAlert) => void): DataColumn<ShownAlert>[] {
  const t = useTranslations('alerts');
  const sentence = useAlertSentence();
  const ruleName = useRuleName();
  const common: DataColumn<ShownAlert>[] = [
    {
      id: 'severity',
      header: t('column.severity'),
      className: 'w-px align-top',
      value: ({ severity }) => severity,
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      id: 'text',
      header: t('column.text'),
      className: 'min-w-48 align-top [overflow-wrap:anywhere]',
      value: sentence,
      cell: (alert) => (
        <div className="space-y-1">
          <p>
            <bdi>{sentence(alert)}</bdi>
          </p>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground text-xs">
            <bdi>{toVisibleText(ruleName(alert.ruleName, alert.kind))}</bdi>
            {alert.instanceName ? <bdi className="sm:hidden">{toVisibleText(alert.instanceName)}</bdi> : null}
            <AlertMarks alert={alert} />
          </p>
        </div>
      ),
    },
    {
      id: 'instance',
      header: t('column.instance'),
      hide: 'max-sm:hidden',
      className: 'align-top [overflow-wrap:anywhere]',
      value: ({ instanceName }) => instanceName,
      cell: ({ instanceId, instanceName }) =>
        instanceId === null ? '—' : <InstanceLink id={instanceId} name={instanceName ?? instanceId} />,
    },
    {
      id: 'team',
      header: t('column.team'),
      hide: 'max-md:hidden',
      className: 'align-top [overflow-wrap:anywhere]',
      value: ({ team }) => team,
      cell: ({ team }) => (team === null ? '—' : <bdi>{toVisibleText(team)}</bdi>),
    },
    {
      id: 'since',
      header: t('column.since'),
      hide: 'max-sm:hidden',
      descFirst: true,
      className: 'whitespace-nowrap align-top',
      value: ({ since }) => since,
      cell: ({ since }) => <TimeAgo at={since} />,
    },
  ];
  if (state === 'resolved')
    return [
      ...common,
      {
        id: 'resolved',
        header: t('column.resolved'),
        descFirst: true,
        className: 'whitespace-nowrap align-top',
        value: ({ resolvedAt }) => resolvedAt,
        cell: ({ resolvedAt }) => <TimeAgo at={resolvedAt} />,
      },
    ];
  return [
    ...common,
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap align-top',
      cell: (alert) => (
        <May permission="policy.edit" instanceId={alert.instanceId}>
          <AlertActions alert={alert} onSilence={() => onSilence(alert)} />
        </May>
      ),
    },
  ];
}

const InstanceLink = ({ id, name }: { id: string; name: string }) => (
  <Link href={buildInstanceAddress(id)} className="text-accent hover:underline">
    <bdi>{toVisibleText(name)}</bdi>
  </Link>
);

/** What is known besides: not firing yet, acknowledged, silenced. */
function AlertMarks({ alert }: { alert: ShownAlert }) {
  const t = useTranslations('alerts');
  return (
    <>
      {alert.state === 'pending' ? <Badge>{t('state.pending')}</Badge> : null}
      {alert.acknowledgedBy ? (
        <Badge tone="success">{t('acknowledgedBy', { name: toVisibleText(alert.acknowledgedBy) })}</Badge>
      ) : null}
      {alert.silencedBy ? <Badge tone="outline">{t('silenced')}</Badge> : null}
    </>
  );
}

function AlertActions({ alert, onSilence }: { alert: ShownAlert; onSilence: () => void }) {
  const t = useTranslations('alerts');
  const sentence = useAlertSentence();
  const acknowledge = useAcknowledgeAlert();
  const onError = useErrorToast();
  const what = sentence(alert);
  return (
    <>
      {alert.acknowledgedAt === null ? (
        <Button
          variant="ghost"
          size="iconSm"
          busy={acknowledge.isPending}
          title={t('acknowledge')}
          aria-label={t('acknowledgeOne', { what })}
          onClick={() => acknowledge.mutate(alert.id, { onError })}
        >
          <Check aria-hidden />
        </Button>
      ) : null}
      <Button
        variant="ghost"
        size="iconSm"
        title={t('silence.add')}
        aria-label={t('silenceOne', { what })}
        onClick={onSilence}
      >
        <BellOff aria-hidden />
      </Button>
    </>
  );
}
