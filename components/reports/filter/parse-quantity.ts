/**
 * What a person types into a range field: `10`, `10k`, `1.5 MB`, `7d`, `90 min`. Sizes are powers of 1024 as in MEMORY
 * USAGE. undefined: the field is empty; null: not understood.
 */
const SIZES: Record<string, number> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
const SPANS: Record<string, number> = { '': 1, s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 };

function splitQuantity(text: string): [number, string] | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim().replaceAll(',', ''));
  return match ? [Number(match[1]), (match[2] ?? '').toLowerCase()] : null;
}

export function parseBytes(text: string): number | null | undefined {
  if (text.trim() === '') return undefined;
  const parts = splitQuantity(text);
  const factor = parts ? SIZES[parts[1].replace(/i?b$/, '')] : undefined;
  return parts && factor !== undefined ? Math.round(parts[0] * factor) : null;
}

export function parseSeconds(text: string): number | null | undefined {
  if (text.trim() === '') return undefined;
  const parts = splitQuantity(text);
  const factor = parts ? SPANS[parts[1]] : undefined;
  return parts && factor !== undefined ? Math.round(parts[0] * factor) : null;
}

export function parseCount(text: string): number | null | undefined {
  if (text.trim() === '') return undefined;
  const parts = splitQuantity(text);
  const factor = parts ? { '': 1, k: 1000, m: 1_000_000 }[parts[1]] : undefined;
  return parts && factor !== undefined ? Math.round(parts[0] * factor) : null;
}

/** The largest number of a database or node that a filter takes. */
const MAX_NUMBER = 65_535;
const MAX_NUMBERS = 64;

/**
 * `0, 1`, also with the commas of Chinese keyboards. If one part is not such a number, the whole text is not understood
 * (null).
 */
export function parseNumbers(text: string): number[] | null | undefined {
  const parts = text.split(/[\s,，、]+/).filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  const isNumber = (part: string) => /^\d{1,5}$/.test(part) && Number(part) <= MAX_NUMBER;
  return parts.length <= MAX_NUMBERS && parts.every(isNumber) ? parts.map(Number) : null;
}

const write = (value: number, units: [string, number][]): string => {
  const unit = units.find(([, size]) => value >= size && value % size === 0);
  return unit ? `${value / unit[1]}${unit[0]}` : String(value);
};
/** The shortest text that reads back as exactly this number. */
export const formatBytesInput = (v: number) =>
  write(v, [
    ['GB', 1024 ** 3],
    ['MB', 1024 ** 2],
    ['KB', 1024],
  ]);
export const formatSecondsInput = (v: number) =>
  write(v, [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ]);
