import { useLocale } from 'use-intl';
import { formatBytes, formatShare, getNumberFormat } from '@/lib/model/text/format-figures';
import { useHydrated } from './use-hydrated';

/**
 * The one or two largest units: `1.5 µs`, `820 ms`, `4.2 s`, `3 m 12 s`, `2 h 5 m`, `12 d 4 h`, `1.4 y`. Below one
 * second the units are Latin in every language.
 */
export function formatMs(ms: number, locale: string): string {
  const sign = ms < 0 ? '−' : '';
  const abs = Math.abs(ms);
  const number = (value: number, digits: number) =>
    getNumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  if (abs > 0 && abs < 0.01) return `${sign}${number(abs * 1000, 1)} µs`;
  if (abs < 1) return abs === 0 ? '0 ms' : `${sign}${number(abs, 2)} ms`;
  if (abs < 1000) return `${sign}${number(abs, abs < 10 ? 1 : 0)} ms`;
  const [second, minute, hour, day, year] = locale.startsWith('zh') ? CHINESE : LATIN;
  const s = abs / 1000;
  if (s < 60) return `${sign}${number(s, s < 10 ? 1 : 0)} ${second}`;
  if (s < 3600) return sign + formatPair(Math.floor(s / 60), minute, Math.round(s % 60), second, 60);
  if (s < 86_400) return sign + formatPair(Math.floor(s / 3600), hour, Math.round((s % 3600) / 60), minute, 60);
  const d = s / 86_400;
  if (d < 100) return sign + formatPair(Math.floor(d), day, Math.round((s % 86_400) / 3600), hour, 24);
  if (d < 365) return `${sign}${number(d, 0)} ${day}`;
  return `${sign}${number(d / 365, 1)} ${year}`;
}

/** Second, minute, hour, day, year. */
const LATIN = ['s', 'm', 'h', 'd', 'y'] as const;
const CHINESE = ['秒', '分', '小时', '天', '年'] as const;

/** `3 m 12 s`. Rounding may give a whole unit more (60 s): then only the larger unit is written. */
function formatPair(big: number, bigUnit: string, small: number, smallUnit: string, full: number): string {
  if (small >= full) return `${big + 1} ${bigUnit}`;
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}

export const UNKNOWN_TEXT = '—';

type Maybe = number | null | undefined;

/**
 * Formatters for the reader's language. null and undefined are unknown and give `—`; use <Value> to explain that on
 * hover.
 */
export function useFormat() {
  const locale = useLocale();
  const hydrated = useHydrated();
  return getFormat(locale, hydrated ? 'browser' : 'server');
}
export type Format = ReturnType<typeof createFormat>;

const formats = new Map<string, Format>();

/**
 * One formatter object per language, shared by all components: creating it costs more than rendering most of them.
 * There are few languages.
 */
function getFormat(locale: string, where: 'browser' | 'server'): Format {
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
  const compact = createOnce(
    () =>
      new Intl.NumberFormat('en', { notation: 'compact', minimumSignificantDigits: 3, maximumSignificantDigits: 3 }),
  );
  const relative = createOnce(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }));
  const known =
    (format: (value: number) => string) =>
    (value: Maybe): string =>
      value === null || value === undefined || Number.isNaN(value) ? UNKNOWN_TEXT : format(value);
  // `from`, `to`: the part of an ISO time that the server writes instead.
  const createMoment = (options: Intl.DateTimeFormatOptions, from: number, to: number) => {
    const format = createOnce(() => new Intl.DateTimeFormat(locale, options));
    return known((v) =>
      where === 'browser' ? format().format(v) : new Date(v).toISOString().replace('T', ' ').slice(from, to),
    );
  };
  const formatDecimal = (value: number, digits: number) =>
    getNumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  return {
    locale,
    /** 1,234,567 */
    number: known((v) => integer.format(v)),
    /** 1.23M */
    compact: known((v) => (Math.abs(v) < 10_000 ? integer.format(v) : compact().format(v))),
    decimal: (value: Maybe, digits = 1) => known((v) => formatDecimal(v, digits))(value),
    bytes: known((v) => formatBytes(v, locale)),
    /** Exact bytes with separators, for titles. */
    exactBytes: known((v) => `${integer.format(v)} B`),
    /** Always µs, so that the figures of a column compare at a glance: `0.42 µs`, `17.3 µs`, `1,250 µs`. */
    micros: known((v) => `${formatDecimal(v, v < 10 ? 2 : v < 100 ? 1 : 0)} µs`),
    ms: known((v) => formatMs(v, locale)),
    seconds: known((v) => formatMs(v * 1000, locale)),
    share: known((v) => formatShare(v, locale)),
    /** A part of a whole. Unknown if either is unknown or the whole is 0. */
    shareOf: (part: Maybe, whole: Maybe) =>
      part === null || part === undefined || !whole ? UNKNOWN_TEXT : formatShare(part / whole, locale),
    rate: known((v) => `${Math.abs(v) < 10_000 ? integer.format(v) : compact().format(v)}/s`),
    date: createMoment({ dateStyle: 'medium' }, 0, 10),
    dateTime: createMoment({ dateStyle: 'medium', timeStyle: 'short' }, 0, 16),
    dateTimeExact: createMoment({ dateStyle: 'medium', timeStyle: 'long' }, 0, 19),
    time: createMoment({ timeStyle: 'medium' }, 11, 19),
    /** "3 min. ago" from `now`. */
    ago: (at: Maybe, now: number) => known((v) => formatRelative(relative(), v - now))(at),
    list: (values: string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(values),
  };
}

/** Delays the creation of a value until its first use: a page needs few formatters, and each takes milliseconds. */
function createOnce<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}

function formatRelative(relative: Intl.RelativeTimeFormat, ms: number): string {
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
