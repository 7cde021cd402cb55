import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { Timeline } from '@/components/charts/timeline';
import { ErrorState } from '@/components/data/error-state';
import { useFormat } from '@/components/data/format/use-format';
import { useHydrated } from '@/components/data/format/use-hydrated';
import { useReport } from '@/components/data/queries/use-report';
import { useChartPicture } from '@/components/reports/chart-picture';
import { dropZeroDecimals } from '@/components/reports/drop-zero-decimals';
import { useFilter } from '@/components/reports/filter/use-filter';
import { AHEAD, AHEAD_PARAMS, toAheadQuery } from '@/components/reports/report-params';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Segmented } from '@/components/ui/forms/segmented';
import { Skeleton } from '@/components/ui/skeleton';
import type { TtlReport } from '@/lib/model/reports/reports';

const LABELS = { day: 'aheadDay', week: 'aheadWeek', month: 'aheadMonth', all: 'aheadAll' } as const;
const SCALES = ['linear', 'log'] as const;
const TWO_DAYS_MS = 2 * 86_400_000;

export function TtlTimeline({
  snapshotId,
  report,
  by,
}: {
  snapshotId: string;
  report: TtlReport;
  by: 'keys' | 'bytes';
}) {
  const t = useTranslations('ttl');
  const { reportFilter } = useFilter();
  const [ahead, setAhead] = useQueryState('ahead', AHEAD_PARAMS.ahead);
  const query = toAheadQuery(reportFilter, { ahead });
  const near = useReport(snapshotId, 'ttl', query ?? {}, { enabled: query !== null });
  const timeline = query === null ? report.timeline : near.data?.report.timeline;
  // The number of keys that expire after the end of the whole timeline.
  const later = query === null ? report.later.keys : 0;
  const [chosen, setScale] = useQueryState('scale', parseAsStringLiteral(SCALES));
  // On a linear scale a storm would flatten the rest of the day to a line at 0.
  const picture = useChartPicture({ title: t('timeline') });
  const scale = chosen ?? (report.storms.length > 0 ? 'log' : 'linear');
  return (
    <Card className="flex flex-col">
      <CardHeader
        title={t('timeline')}
        description={<StepHint timeline={timeline} later={later} />}
        actions={
          <>
            <Segmented
              size="sm"
              label={t('scale')}
              value={scale}
              onValueChange={(next) => void setScale(next)}
              options={SCALES.map((value) => ({ value, label: t(value) }))}
            />
            <Segmented
              size="sm"
              label={t('ahead')}
              value={ahead}
              onValueChange={(next) => void setAhead(next)}
              options={AHEAD.map((value) => ({ value, label: t(LABELS[value]) }))}
            />
            {picture.menu}
          </>
        }
      />
      {near.error && !timeline ? (
        <ErrorState error={near.error} onRetry={() => void near.refetch()} />
      ) : !timeline ? (
        <CardBody>
          <Skeleton className="h-64 w-full" />
        </CardBody>
      ) : timeline.length === 0 ? (
        <EmptyState title={t('timelineEmpty')} />
      ) : (
        <CardBody className="flex-1 pb-3">
          <div ref={picture.place}>
            <Drawing timeline={timeline} storms={report.storms} by={by} log={scale === 'log'} />
          </div>
        </CardBody>
      )}
    </Card>
  );
}

function StepHint({ timeline, later }: { timeline: TtlReport['timeline'] | undefined; later: number }) {
  const t = useTranslations('ttl');
  const f = useFormat();
  const hydrated = useHydrated();
  const hints = [t('timelineHint', { step: f.seconds(timeline?.[0]?.stepSeconds ?? 60) })];
  // The server does not know the reader's time zone.
  if (timeline?.[0] && hydrated) hints.push(t('timeZone', { zone: formatZone(timeline[0].minuteMs, f.locale) }));
  if (later > 0) hints.push(t('timelineLater', { count: later }));
  return hints.join(' · ');
}

/** The time zone of the times in the chart, as "UTC+8". */
function formatZone(at: number, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'shortOffset' }).formatToParts(at);
  const zone = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  return zone.replace(/^GMT(\+0$)?/, 'UTC');
}

function Drawing({
  timeline,
  storms,
  by,
  log,
}: {
  timeline: TtlReport['timeline'];
  storms: TtlReport['storms'];
  by: 'keys' | 'bytes';
  log: boolean;
}) {
  const t = useTranslations('ttl');
  const r = useTranslations('filters.report');
  const f = useFormat();
  const steps = useMemo(() => fillTimeline(timeline), [timeline]);
  const points = useMemo(() => steps.map((step) => ({ at: step.minuteMs, value: step[by] })), [steps, by]);
  const from = points[0]?.at ?? 0;
  const to = points.at(-1)?.at ?? 0;
  const stepMs = (steps[0]?.stepSeconds ?? 60) * 1000;
  const isLong = to - from > TWO_DAYS_MS;
  const axis = useMemo(
    () =>
      new Intl.DateTimeFormat(
        f.locale,
        isLong ? { month: 'short', day: 'numeric' } : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      ),
    [f.locale, isLong],
  );
  const marks = storms
    .filter((storm) => storm.minute >= from && storm.minute < to + stepMs)
    .map((storm) => ({ at: storm.minute, label: storm.prefix }));
  return (
    <Timeline
      points={points}
      marks={marks}
      label={`${t('timeline')}. ${t('timelineHint', { step: f.seconds(stepMs / 1000) })}`}
      height={262}
      unit={by === 'keys' ? 'count' : 'bytes'}
      log={log}
      formatTime={(at) => axis.format(at)}
      formatAxis={(value) => dropZeroDecimals(by === 'keys' ? f.compact(value) : f.bytes(value))}
      tooltip={(point) => (
        <>
          <p className="num mb-1 font-medium">{f.dateTime(point.at)}</p>
          <TooltipRow label={r(by)} value={by === 'keys' ? f.number(point.value) : f.bytes(point.value)} />
        </>
      )}
    />
  );
}

type Step = TtlReport['timeline'][number];
/** A chart of more points would be slow. */
const MAX_STEPS = 2000;

/**
 * Adds the empty steps that the report leaves out: without them a chart would connect storms across empty times. If
 * that would be more than MAX_STEPS, the steps are returned unchanged.
 */
export function fillTimeline(steps: readonly Step[]): Step[] {
  const first = steps[0];
  const last = steps.at(-1);
  if (!first || !last) return [];
  const stepMs = first.stepSeconds * 1000;
  const count = Math.round((last.minuteMs - first.minuteMs) / stepMs) + 1;
  if (count > MAX_STEPS || stepMs <= 0) return [...steps];
  const known = new Map(steps.map((step) => [step.minuteMs, step]));
  return Array.from({ length: count }, (_, i) => {
    const minuteMs = first.minuteMs + i * stepMs;
    return known.get(minuteMs) ?? { minuteMs, stepSeconds: first.stepSeconds, keys: 0, bytes: 0 };
  });
}
