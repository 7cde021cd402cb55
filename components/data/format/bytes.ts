import { numberFormat } from './number-format';

/** One style of units everywhere: binary steps, three significant figures, `0 B`, `912 B`, `1.24 MiB`. */
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function formatBytes(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1,000, so the next unit starts there and no number has four digits.
  while (Math.abs(value) >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2;
  const number = numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(value)} ${UNITS[unit]}`;
}
