import { numberFormat } from './number-format';

/**
 * The one or two largest units: `1.5 µs`, `820 ms`, `4.2 s`, `3 m 12 s`, `2 h 5 m`, `12 d 4 h`, `1.4 y`. Below one
 * second the units are Latin in every language.
 */
export function formatMs(ms: number, locale: string): string {
  const sign = ms < 0 ? '−' : '';
  const abs = Math.abs(ms);
  const number = (value: number, digits: number) =>
    numberFormat(locale, { maximumFractionDigits: digits }).format(value);
  if (abs > 0 && abs < 0.01) return `${sign}${number(abs * 1000, 1)} µs`;
  if (abs < 1) return abs === 0 ? '0 ms' : `${sign}${number(abs, 2)} ms`;
  if (abs < 1000) return `${sign}${number(abs, abs < 10 ? 1 : 0)} ms`;
  const [second, minute, hour, day, year] = locale.startsWith('zh') ? CHINESE : LATIN;
  const s = abs / 1000;
  if (s < 60) return `${sign}${number(s, s < 10 ? 1 : 0)} ${second}`;
  if (s < 3600) return sign + pair(Math.floor(s / 60), minute, Math.round(s % 60), second, 60);
  if (s < 86_400) return sign + pair(Math.floor(s / 3600), hour, Math.round((s % 3600) / 60), minute, 60);
  const d = s / 86_400;
  if (d < 100) return sign + pair(Math.floor(d), day, Math.round((s % 86_400) / 3600), hour, 24);
  if (d < 365) return `${sign}${number(d, 0)} ${day}`;
  return `${sign}${number(d / 365, 1)} ${year}`;
}

/** Second, minute, hour, day, year. */
const LATIN = ['s', 'm', 'h', 'd', 'y'] as const;
const CHINESE = ['秒', '分', '小时', '天', '年'] as const;

function pair(big: number, bigUnit: string, small: number, smallUnit: string, full: number): string {
  if (small >= full) return `${big + 1} ${bigUnit}`;
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}
