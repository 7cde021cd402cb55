import { useLocale, useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { formatClock, parseCron } from './parse-cron';

/** As many times of a day are listed. */
const MAX_TIMES = 6;

/** Returns a function that says a cron text in a sentence; null: the text is not valid or too special for words. */
export function useCronWords() {
  const t = useTranslations('schedules.words');
  const f = useFormat();
  const names = useCalendarNames();
  return (cron: string): string | null => {
    const parts = parseCron(cron);
    if (parts === null) return null;
    const { minutes, hours, days, months, weekdays } = parts;
    const week = weekdays && f.list(weekdays.map(names.weekday));
    const month = days && f.list(days.map(String));
    const when =
      week && month
        ? t('both', { week, days: month })
        : week
          ? t('week', { week })
          : month
            ? t('month', { days: month })
            : t('daily');
    const times = (hours ?? []).flatMap((hour) => minutes.map((minute) => formatClock(hour, minute)));
    const minute = f.list(minutes.map(String));
    const time =
      hours === null
        ? t('everyHour', { minutes: minute })
        : times.length <= MAX_TIMES
          ? t('at', { times: f.list(times) })
          : t('hours', { minutes: minute, hours: f.list(hours.map(String)) });
    return months === null
      ? t('sentence', { when, time })
      : t('sentenceIn', { when, time, months: f.list(months.map(names.month)) });
  };
}

/** Names of weekdays (1 = Monday) and months (1 = January) in the reader's language. */
export function useCalendarNames() {
  const locale = useLocale();
  const format = (options: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(at);
  // 2024-01-01 was a Monday.
  return {
    weekday: (day: number) => format({ weekday: 'long' }, Date.UTC(2024, 0, day)),
    shortWeekday: (day: number) => format({ weekday: 'short' }, Date.UTC(2024, 0, day)),
    month: (month: number) => format({ month: 'long' }, Date.UTC(2024, month - 1, 1)),
  };
}
