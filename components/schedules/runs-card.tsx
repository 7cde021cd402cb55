import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Loaded } from '@/components/data/loaded';
import { useScheduleRuns } from '@/components/data/queries/use-schedules';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { limitTableHeight } from '@/components/data-table/use-window';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { Link } from '@/components/ui/link';
import { toVisibleText } from '@/components/ui/visible-text';
import type { ScheduleRun } from '@/lib/model/schedules/schedule';

const SHOW = ['all', 'skipped'] as const;

/** The newest runs: what was scanned, what was skipped, and why. */
export function RunsCard() {
  const t = useTranslations('schedules.runs');
  const runs = useScheduleRuns();
  const [show, setShow] = useQueryState('runs', parseAsStringLiteral(SHOW).withDefault('all'));
  const columns: DataColumn<ScheduleRun>[] = [
    {
      id: 'due',
      header: t('due'),
      value: ({ dueAt }) => dueAt,
      descFirst: true,
      className: 'num min-w-24 max-sm:whitespace-normal',
      cell: ({ dueAt }) => <Value value={dueAt} as="dateTime" />,
    },
    {
      id: 'schedule',
      header: t('schedule'),
      value: ({ scheduleName }) => scheduleName,
      hide: 'max-sm:hidden',
      className: 'max-w-48 truncate',
      cell: ({ scheduleName }) => <bdi>{toVisibleText(scheduleName)}</bdi>,
    },
    {
      id: 'instance',
      header: t('instance'),
      value: ({ instanceName }) => instanceName,
      className: 'max-w-48 truncate',
      cell: ({ instanceId, instanceName }) => (
        <Link href={buildInstanceAddress(instanceId)} className="rounded hover:text-accent hover:underline">
          <bdi>{toVisibleText(instanceName)}</bdi>
        </Link>
      ),
    },
    {
      id: 'outcome',
      header: t('outcome'),
      value: ({ state, jobState }) => jobState ?? state,
      className: 'min-w-28 whitespace-normal sm:min-w-40',
      cell: (run) => <Outcome run={run} />,
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            <Segmented
              size="sm"
              label={t('filter')}
              value={show}
              onValueChange={(value) => void setShow(value)}
              options={[
                { value: 'all', label: t('all') },
                { value: 'skipped', label: t('onlySkipped') },
              ]}
            />
            <OneTableMenu id="schedule-runs" name={t('title')} />
          </>
        }
      />
      <Loaded query={runs} rows={4}>
        {(all) => {
          const rows = show === 'all' ? all : all.filter(({ state }) => state === 'skipped');
          return rows.length === 0 ? (
            <p className="px-4 py-6 text-muted-foreground text-sm">{t(all.length === 0 ? 'none' : 'noneSkipped')}</p>
          ) : (
            <DataTable
              id="schedule-runs"
              label={t('title')}
              className={limitTableHeight(rows.length)}
              columns={columns}
              rows={rows}
              rowId={(run) => `${run.scheduleId} ${run.instanceId} ${run.dueAt}`}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}

function Outcome({ run }: { run: ScheduleRun }) {
  const t = useTranslations('schedules');
  const f = useFormat();
  return (
    <>
      {run.jobId && run.jobState ? (
        <Link href={`/jobs/${encodeURIComponent(run.jobId)}`} className="rounded">
          <JobStateBadge state={run.jobState} />
        </Link>
      ) : run.state === 'waiting' ? (
        <Badge>{t('runs.waiting', { time: f.dateTime(run.startAt) })}</Badge>
      ) : (
        <Badge tone="warning">{t('runs.skipped')}</Badge>
      )}
      {run.reason ? (
        <span className="mt-0.5 block text-muted-foreground text-xs">{t(`reason.${run.reason}`)}</span>
      ) : null}
      {run.missedSince === null ? null : (
        <span className="mt-0.5 block text-muted-foreground text-xs">
          {t('runs.missedSince', { time: f.dateTime(run.missedSince) })}
        </span>
      )}
    </>
  );
}
