import { type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { TrendLine } from '@/components/charts/trend-line';
import { type DeltaFormat, DeltaText } from '@/components/data/deltas/delta-text';
import { UNKNOWN_TEXT, useFormat } from '@/components/data/format/use-format';
import { Card } from '@/components/ui/card';
import type { LinePoint } from '@/lib/model/snapshots/trend-breaks';

const HEIGHT = 150;
/** So many of the newest breaks are explained below a chart; the others only on hover. */
const MAX_NOTES = 2;

/** One value over time, with the newest value, its change since the scan before, and why the line breaks. */
export function TrendCard(props: {
  title: ReactNode;
  /** Names the value in the tooltip. */
  name: string;
  line: LinePoint[];
  as: DeltaFormat;
  action?: ReactNode;
  /** Said in place of a chart without a known value. */
  empty?: string | undefined;
}) {
  const { line, as } = props;
  const t = useTranslations('trends');
  const f = useFormat();
  const day = useMemo(() => new Intl.DateTimeFormat(f.locale, { month: 'short', day: 'numeric' }), [f.locale]);
  const format = (value: number | null) => f[as](value);
  const [before, last] = [line.at(-2), line.at(-1)];
  const change =
    before && last && before.value !== null && last.value !== null && last.breaks === null
      ? last.value - before.value
      : null;
  const known = line.filter(({ value }) => value !== null);
  const breaks = line.flatMap(({ at, breaks }) => (breaks === null ? [] : [{ at, reason: breaks }]));
  const byTime = new Map(line.map((point) => [point.at, point]));
  return (
    <Card className="flex flex-col">
      <div className="flex items-start justify-between gap-2 px-4 pt-3">
        <div className="min-w-0">
          <h2 className="truncate text-muted-foreground text-xs">{props.title}</h2>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="num font-semibold text-xl tracking-tight">{format(last?.value ?? null)}</span>
            {change === null || !before ? null : <DeltaText change={change} since={before.at} as={as} />}
          </p>
        </div>
        {props.action}
      </div>
      <div className="px-2 pt-1 pb-2">
        {known.length === 0 ? (
          <p className="grid place-items-center px-2 text-muted-foreground text-sm" style={{ height: HEIGHT }}>
            {props.empty ?? t('unknown')}
          </p>
        ) : (
          <TrendLine
            label={t('chartLabel', {
              count: known.length,
              from: f.dateTime(known[0]!.at),
              first: format(known[0]!.value),
              to: f.dateTime(known.at(-1)!.at),
              last: format(known.at(-1)!.value),
            })}
            points={line.map(({ at, value, breaks }) => ({ at, value, breaks: breaks !== null }))}
            height={HEIGHT}
            unit={as === 'bytes' ? 'bytes' : 'count'}
            formatTime={(at) => day.format(at)}
            formatAxis={as === 'bytes' ? f.bytes : f.compact}
            tooltip={(at) => {
              const point = byTime.get(at);
              return (
                <>
                  <p className="text-muted-foreground">{f.dateTime(at)}</p>
                  <TooltipRow label={props.name} value={point ? format(point.value) : UNKNOWN_TEXT} />
                  {point?.breaks ? <p>{t(`breaks.${point.breaks}`)}</p> : null}
                </>
              );
            }}
          />
        )}
        {breaks.length > 0 ? (
          <ul className="px-2 pt-1 text-muted-foreground text-xs">
            {breaks.slice(-MAX_NOTES).map(({ at, reason }) => (
              <li key={at}>{t('breakAt', { time: f.dateTime(at), reason: t(`breaks.${reason}`) })}</li>
            ))}
          </ul>
        ) : null}
      </div>
    </Card>
  );
}
