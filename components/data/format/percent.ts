import { numberFormat } from './number-format';

/** Formats a share from 0 to 1. It never rounds something to nothing (`<0.1%`) nor almost all to all (`>99.9%`). */
export function formatShare(share: number, locale: string): string {
  const percent = (value: number, digits: number) =>
    numberFormat(locale, {
      style: 'percent',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value);
  if (share > 0 && share < 0.001) return `<${percent(0.001, 1)}`;
  if (share < 1 && share > 0.999) return `>${percent(0.999, 1)}`;
  return percent(share, share === 0 || share === 1 ? 0 : 1);
}
