import { useTranslations } from 'use-intl';
import { Loaded } from '@/components/data/loaded';
import { useNextDay } from '@/components/data/queries/use-schedules';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import type { PlannedTime } from '@/lib/model/schedules/schedule';
import { useClock } from './use-clock';

const HOUR_MS = 3_600_000;
/** As many times are also written below the line. */
const WRITTEN = 6;

/** The next 24 hours of the fleet on one line: when scans begin, and which times will be skipped. */
export function NextDayCard() {
  const t = useTranslations('schedules.day');
  const day = useNextDay();
  return (
    <Card>
      <CardHeader title={t('title')} />
      <CardBody>
        <Loaded query={day} rows={2}>
          {({ from, to, times }) =>
            times.length === 0 ? (
              <p className="text-muted-foreground text-sm">{t('none')}</p>
            ) : (
              <Line from={from} to={to} times={times} />
            )
          }
        </Loaded>
      </CardBody>
    </Card>
  );
}

function Line({ from, to, times }: { from: number; to: number; times: readonly PlannedTime[] }) {
  const t = useTranslations('schedules.day');
  const clock = useClock();
  const describe = useDescription();
  const percent = (at: number) => (100 * (Math.min(to, at) - from)) / (to - from);
  const firstHour = Math.ceil(from / HOUR_MS) * HOUR_MS;
  const hours = [0, 4, 8, 12, 16, 20].map((hour) => firstHour + hour * HOUR_MS);
  return (
    <>
      <div className="relative h-8 rounded bg-muted">
        {times.map((time) => (
          <span
            key={`${time.scheduleId} ${time.dueAt}`}
            title={describe(time)}
            className={cn(
              'absolute inset-y-1 min-w-1.5 rounded-sm',
              time.skipped ? 'border border-warning border-dashed' : 'bg-accent-solid',
            )}
            style={{
              left: `min(${percent(time.startsFrom)}%, 100% - 6px)`,
              width: `${percent(time.startsTo) - percent(time.startsFrom)}%`,
            }}
          />
        ))}
      </div>
      <div className="num relative h-5 text-muted-foreground text-xs" aria-hidden>
        {hours.map((at, i) => (
          <span
            key={at}
            className={cn('absolute top-0.5', i % 2 === 1 && 'max-sm:hidden')}
            style={{ left: `${percent(at)}%` }}
          >
            {clock(at)}
          </span>
        ))}
      </div>
      <ul aria-label={t('label')} className="mt-2 space-y-0.5 text-sm">
        {times.slice(0, WRITTEN).map((time) => (
          <li key={`${time.scheduleId} ${time.dueAt}`} className="[overflow-wrap:anywhere]">
            {describe(time)}
          </li>
        ))}
        {times.length > WRITTEN ? (
          <li className="text-muted-foreground">{t('more', { count: times.length - WRITTEN })}</li>
        ) : null}
      </ul>
    </>
  );
}

function useDescription() {
  const t = useTranslations('schedules');
  const clock = useClock();
  return ({ name, startsFrom, startsTo, instances, skipped, dueAt }: PlannedTime): string => {
    if (skipped) return t('day.skipped', { name, time: clock(dueAt), reason: t(`day.${skipped}`) });
    const time = startsTo > startsFrom ? `${clock(startsFrom)}–${clock(startsTo)}` : clock(startsFrom);
    return t('day.item', { name, time, instances: t('count', { count: instances }) });
  };
}
