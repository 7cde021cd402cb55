import { useLocale } from 'use-intl';
import { formatBytes } from './bytes';
import { formatMs } from './duration';
import { numberFormat } from './number-format';
import { formatShare } from './percent';
import { useHydrated } from './use-hydrated';

export const UNKNOWN_TEXT = '—';

type Maybe = number | null | undefined;

/**
 * Formatters for the reader's language. null and undefined are unknown and give `—`; use <Value> to explain that on
 * hover.
 */
export function useFormat() {
  const locale = useLocale();
  const hydrated = useHydrated();
  return formatOf(locale, hydrated ? 'browser' : 'server');
}
export type Format = ReturnType<typeof createFormat>;

const formats = new Map<string, Format>();

/**
 * One formatter object per language, shared by all components: creating it costs more than rendering most of them.
 * There are few languages.
 */
function formatOf(locale: string, where: 'browser' | 'server'): Format {
  const key = `${locale} ${where}`;
  let format = formats.get(key);
  if (!format) {
    format = createFormat(locale, where);
    formats.set(key, format);
  }
  return format;
}

/**
 * `server`: times in UTC and in digits, as the first HTML has them. The server knows neither the reader's time zone nor
 * how the browser spaces a date, and both must write the same text until hydration.
 */
export function createFormat(locale: string, where: 'browser' | 'server' = 'browser') {
  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  // Chinese compact numbers (万) read badly next to KiB and ms, so all languages use Latin K/M/B, as engineers write
  // them.
  const compact = once(
    () =>
      new Intl.NumberFormat('en', { notation: 'compact', minimumSignificantDigits: 3, maximumSignificantDigits: 3 }),
  );
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }));
  const known =
    (format: (value: number) => string) =>
    (value: Maybe): string =>
      value === null || value === undefined || Number.isNaN(value) ? UNKNOWN_TEXT : format(value);
  const moment = (options: Intl.DateTimeFormatOptions, from: number, to: number) => {
    const format = once(() => new Intl.DateTimeFormat(locale, options));
    return known((v) =>
      where === 'browser' ? format().format(v) : new Date(v).toISOString().replace('T', ' ').slice(from, to),
    );
  };
  return {
    locale,
    /** 1,234,567 */
    number: known((v) => integer.format(v)),
    /** 1.23M */
    compact: known((v) => (Math.abs(v) < 10_000 ? integer.format(v) : compact().format(v))),
    decimal: (value: Maybe, digits = 1) =>
      known((v) => numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(v))(
        value,
      ),
    bytes: known((v) => formatBytes(v, locale)),
    /** Exact bytes with separators, for titles. */
    exactBytes: known((v) => `${integer.format(v)} B`),
    ms: known((v) => formatMs(v, locale)),
    seconds: known((v) => formatMs(v * 1000, locale)),
    share: known((v) => formatShare(v, locale)),
    /** A part of a whole. Unknown if either is unknown or the whole is 0. */
    shareOf: (part: Maybe, whole: Maybe) =>
      part === null || part === undefined || !whole ? UNKNOWN_TEXT : formatShare(part / whole, locale),
    rate: known((v) => `${Math.abs(v) < 10_000 ? integer.format(v) : compact().format(v)}/s`),
    date: moment({ dateStyle: 'medium' }, 0, 10),
    dateTime: moment({ dateStyle: 'medium', timeStyle: 'short' }, 0, 16),
    dateTimeExact: moment({ dateStyle: 'medium', timeStyle: 'long' }, 0, 19),
    time: moment({ timeStyle: 'medium' }, 11, 19),
    /** "3 min. ago" from `now`. */
    ago: (at: Maybe, now: number) => known((v) => relativeText(relative(), v - now))(at),
    list: (values: string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(values),
  };
}

/** Created on first use: a page needs few of them, and each takes milliseconds. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function relativeText(relative: Intl.RelativeTimeFormat, ms: number): string {
  const s = ms / 1000;
  const abs = Math.abs(s);
  // Chinese says “just now” where Intl says “at present”.
  if (abs < 45) return relative.format(0, 'second').replace('现在', '刚刚');
  if (abs < 3600) return relative.format(Math.round(s / 60), 'minute');
  if (abs < 86_400) return relative.format(Math.round(s / 3600), 'hour');
  if (abs < 30 * 86_400) return relative.format(Math.round(s / 86_400), 'day');
  if (abs < 365 * 86_400) return relative.format(Math.round(s / (30 * 86_400)), 'month');
  return relative.format(Math.round(s / (365 * 86_400)), 'year');
}
