'use client';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { Timeline } from '@/components/charts/timeline';
import { useFormat } from '@/components/data/format/use-format';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import type { TtlReport } from '@/lib/model/reports/reports';
import { fillTimeline } from './fill-timeline';

const DAY_MS = 86_400_000;

export function TtlTimeline({ report, by }: { report: TtlReport; by: 'keys' | 'bytes' }) {
  const t = useTranslations('ttl');
  const r = useTranslations('filters.report');
  const f = useFormat();
  const steps = useMemo(() => fillTimeline(report.timeline), [report.timeline]);
  const points = useMemo(() => steps.map((s) => ({ at: s.minuteMs, value: s[by] })), [steps, by]);
  const first = points[0];
  const last = points.at(-1);
  const stepSeconds = steps[0]?.stepSeconds ?? 60;
  const long = first && last ? last.at - first.at > 2 * DAY_MS : false;
  const axis = useMemo(
    () =>
      new Intl.DateTimeFormat(
        f.locale,
        long ? { month: 'short', day: 'numeric' } : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      ),
    [f.locale, long],
  );
  const marks = report.storms
    .filter((storm) => first && last && storm.minute >= first.at && storm.minute <= last.at + stepSeconds * 1000)
    .map((storm) => ({ at: storm.minute, label: storm.prefix }));
  return (
    <Card>
      <CardHeader title={t('timeline')} description={t('timelineHint', { step: f.seconds(stepSeconds) })} />
      {points.length === 0 ? (
        <EmptyState title={t('timelineEmpty')} />
      ) : (
        <CardBody className="pb-3">
          <Timeline
            points={points}
            marks={marks}
            label={`${t('timeline')}. ${t('timelineHint', { step: f.seconds(stepSeconds) })}`}
            height={266}
            formatTime={(at) => axis.format(at)}
            formatAxis={by === 'keys' ? f.compact : f.bytes}
            tooltip={(point) => (
              <>
                <p className="num mb-1 font-medium">{f.dateTime(point.at)}</p>
                <TooltipRow label={r(by)} value={by === 'keys' ? f.number(point.value) : f.bytes(point.value)} />
              </>
            )}
          />
        </CardBody>
      )}
    </Card>
  );
}
