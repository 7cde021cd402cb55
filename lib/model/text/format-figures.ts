/** Figures as people read them. `locale` is the language of the reader. */

const numberFormats = new Map<string, Intl.NumberFormat>();

/**
 * Returns a cached formatter: creating one takes longer than rendering the row it is for, and every cell needs one.
 * There are few combinations of options (digits, style), so the map stays small.
 */
export function getNumberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, options);
    numberFormats.set(key, format);
  }
  return format;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Binary units and three significant figures: `0 B`, `912 B`, `1.24 MiB`. */
export function formatBytes(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1,000, so the next unit starts there and no number has four digits.
  while (Math.abs(value) >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2;
  const number = getNumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(value)} ${UNITS[unit]}`;
}

/** Formats a share from 0 to 1. It never rounds something to nothing (`<0.1%`) nor almost all to all (`>99.9%`). */
export function formatShare(share: number, locale: string): string {
  const percent = (value: number, digits: number) =>
    getNumberFormat(locale, {
      style: 'percent',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value);
  if (share > 0 && share < 0.001) return `<${percent(0.001, 1)}`;
  if (share < 1 && share > 0.999) return `>${percent(0.999, 1)}`;
  return percent(share, share === 0 || share === 1 ? 0 : 1);
}
