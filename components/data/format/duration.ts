import { numberFormat } from './number-format';

/**
 * The two largest units that matter: `1.5 µs`, `820 ms`, `4.2 s`, `3 m 12 s`, `2 h 5 m`, `12 d 4 h`, `1.4 y`. Below a
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
  const unit = locale.startsWith('zh') ? CHINESE : LATIN;
  const s = abs / 1000;
  if (s < 60) return `${sign}${number(s, s < 10 ? 1 : 0)} ${unit.s}`;
  if (s < 3600) return sign + pair(Math.floor(s / 60), unit.m, Math.round(s % 60), unit.s, 60, unit.minutes);
  if (s < 86_400) return sign + pair(Math.floor(s / 3600), unit.h, Math.round((s % 3600) / 60), unit.m, 60);
  const d = s / 86_400;
  if (d < 100) return sign + pair(Math.floor(d), unit.d, Math.round((s % 86_400) / 3600), unit.h, 24);
  if (d < 365) return `${sign}${number(d, 0)} ${unit.d}`;
  return `${sign}${number(d / 365, 1)} ${unit.y}`;
}

/** `minutes`: without seconds after them. */
const LATIN = { s: 's', m: 'm', minutes: 'm', h: 'h', d: 'd', y: 'y' };
const CHINESE = { s: '秒', m: '分', minutes: '分钟', h: '小时', d: '天', y: '年' };

function pair(big: number, bigUnit: string, small: number, smallUnit: string, full: number, alone = bigUnit): string {
  if (small >= full) return `${big + 1} ${alone}`;
  return small === 0 ? `${big} ${alone}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}
