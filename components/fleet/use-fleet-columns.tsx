import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Sparkline } from '@/components/charts/sparkline';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import { useHydrated } from '@/components/data/format/use-hydrated';
import { NotInFile, Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { getScoreBand } from '@/components/rules/score-band';
import { JobMiniProgress } from '@/components/scans/job-mini-progress';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { Badge } from '@/components/ui/badge';
import { InstanceTags } from '@/components/ui/instance-tags';
import { Link } from '@/components/ui/link';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { computeNoExpiryShare } from '@/lib/model/reports/fleet-filter';
import { FleetActions } from './fleet-actions';

const buildHref = ({ instance }: FleetRow) => buildInstanceAddress(instance.id);

export function useFleetColumns(): DataColumn<FleetRow>[] {
  const t = useTranslations('fleet');
  const topologies = useTranslations('instances.topology');
  const fields = useTranslations('instances.form');
  const f = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        fixed: true,
        value: (row) => row.instance.name,
        className: 'max-w-72 py-2 xl:min-w-52',
        cell: (row) => <NameCell row={row} />,
      },
      {
        id: 'topology',
        header: t('column.topology'),
        value: (row) => row.instance.topology,
        hide: 'max-2xl:hidden',
        cell: (row) => <Badge>{topologies(row.instance.topology)}</Badge>,
      },
      // The page shows these below the name, so these columns are only in files, and on the page after they are chosen.
      {
        id: 'environment',
        header: fields('environment'),
        value: (row) => row.instance.environment,
        hide: 'hidden',
        cell: (row) => row.instance.environment,
      },
      {
        id: 'owner',
        header: fields('owner'),
        value: (row) => row.instance.owner,
        hide: 'hidden',
        cell: (row) => row.instance.owner,
      },
      {
        id: 'tags',
        header: fields('tags'),
        hide: 'hidden',
        cell: (row) => row.instance.tags.join(', '),
      },
      createFigureColumn('keys', t('column.keys'), 'compact', (row) => row.latest?.keys),
      createFigureColumn('memory', t('column.memory'), 'bytes', (row) => row.latest?.bytes, { hide: 'max-sm:hidden' }),
      {
        id: 'score',
        header: t('column.score'),
        num: true,
        value: (row) => row.score,
        cell: (row) =>
          row.score == null ? (
            <Value value={null} as="number" />
          ) : (
            <Link href={`${buildHref(row)}/findings`} className="group rounded">
              <Badge tone={getScoreBand(row.score)} className="num group-hover:underline">
                {f.decimal(row.score, 1)}
              </Badge>
            </Link>
          ),
      },
      createFigureColumn('mandatory', t('column.mandatory'), 'compact', (row) => row.findings?.mandatory, {
        hide: 'max-lg:hidden',
      }),
      createFigureColumn('bigkeys', t('column.bigkeys'), 'compact', (row) => row.latest?.bigkeys, {
        hide: 'max-md:hidden',
      }),
      {
        id: 'noExpiry',
        header: t('column.noExpiry'),
        num: true,
        value: computeNoExpiryShare,
        hide: 'max-md:hidden',
        cell: (row) => <ShareCell share={computeNoExpiryShare(row)} />,
      },
      {
        id: 'trend',
        header: t('column.trend'),
        hide: 'max-2xl:hidden',
        cell: ({ keysHistory }) =>
          keysHistory.length > 1 ? (
            <Sparkline values={keysHistory} label={t('trendLabel', { count: keysHistory.length })} />
          ) : (
            <span className="text-muted-foreground">—</span>
          ),
      },
      {
        id: 'lastScan',
        header: t('column.lastScan'),
        descFirst: true,
        value: (row) => row.latest?.startedAt,
        hide: 'max-sm:hidden',
        className: 'whitespace-nowrap',
        cell: (row) => <LastScan row={row} />,
      },
      {
        id: 'actions',
        header: t('column.actions'),
        quiet: true,
        className: 'w-px whitespace-nowrap text-right',
        cell: (row) => <FleetActions row={row} href={buildHref(row)} />,
      },
    ],
    [t, topologies, fields, f],
  );
}

function NameCell({ row }: { row: FleetRow }) {
  const report = useTranslations('instances.report');
  const { instance, activeJob } = row;
  return (
    <>
      <Link href={buildHref(row)} className="block truncate rounded font-medium hover:text-accent hover:underline">
        {instance.name}
      </Link>
      <NotInFile>
        <span className="flex flex-wrap items-center gap-1">
          <InstanceTags environment={instance.environment} tags={instance.tags} production={instance.production} />
          {row.replicaOf === null ? null : (
            <Badge tone="outline" className="mt-0.5" title={report('isReplica', { master: row.replicaOf })}>
              {report('roles.replica')}
            </Badge>
          )}
        </span>
        <span className="mt-0.5 block text-muted-foreground text-xs sm:hidden">
          {activeJob ? <JobStateBadge state={activeJob.state} /> : <LatestScan row={row} />}
        </span>
      </NotInFile>
    </>
  );
}

function ShareCell({ share }: { share: number | null }) {
  return (
    <span className="inline-flex items-center justify-end gap-2">
      {share === null ? null : (
        <span className="h-1.5 w-12 overflow-hidden rounded-full bg-chart-track max-2xl:hidden" aria-hidden>
          <span className="block h-full rounded-full bg-chart-1" style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span className="min-w-12">
        <Value value={share} as="share" />
      </span>
    </span>
  );
}

function LastScan({ row }: { row: FleetRow }) {
  const { activeJob } = row;
  if (activeJob?.state === 'paused') return <JobStateBadge state="paused" />;
  return activeJob ? <JobMiniProgress job={activeJob} /> : <LatestScan row={row} />;
}

/** When an instance was last scanned, and whether a scan has failed since; the page of the instance says why. */
function LatestScan({ row: { latest, failedAt } }: { row: FleetRow }) {
  const t = useTranslations('fleet');
  const f = useFormat();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {latest ? (
        <ScanTime at={latest.endedAt ?? latest.startedAt} />
      ) : (
        <span className="text-muted-foreground">{t('never')}</span>
      )}
      {latest?.partial && latest.state === 'sealed' ? (
        <Badge tone="warning" title={t('incompleteHint')}>
          {t('incomplete')}
        </Badge>
      ) : null}
      {failedAt === null ? null : (
        <Badge tone="danger" title={t('failedHint', { at: f.dateTime(failedAt) })}>
          {t('failed')}
        </Badge>
      )}
    </span>
  );
}

/** Age after which figures count as stale, ms: after a week of deployments the keyspace is a different one. */
const STALE_MS = 7 * 86_400_000;

/** When an instance was last scanned, with a mark if that is long ago. */
function ScanTime({ at }: { at: number }) {
  const t = useTranslations('fleet');
  // The server's clock may differ from the reader's, so the first HTML has no mark.
  const stale = useHydrated() && Date.now() - at > STALE_MS;
  return (
    <span className="inline-flex items-center gap-1.5">
      <TimeAgo at={at} className="num" />
      {stale ? (
        <Badge tone="warning" title={t('staleHint')}>
          {t('stale')}
        </Badge>
      ) : null}
    </span>
  );
}
