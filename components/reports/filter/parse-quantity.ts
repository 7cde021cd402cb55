/**
 * Reads what a person types into a range field: `10`, `10k`, `1.5 MB`, `7d`, `90 min`. All functions return undefined
 * if the field is empty, and null if the text is not understood.
 */

/** Bytes per unit, as powers of 1024; `k`, `kb` and `kib` are the same. */
const SIZES: Record<string, number> = { '': 1, b: 1 };
for (const [index, letter] of ['k', 'm', 'g', 't'].entries())
  for (const end of ['', 'b', 'ib']) SIZES[`${letter}${end}`] = 1024 ** (index + 1);
/** Seconds per unit. */
const SPANS: Record<string, number> = { '': 1, s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 };
const COUNTS: Record<string, number> = { '': 1, k: 1000, m: 1_000_000 };

function parseQuantity(text: string, factors: Record<string, number>): number | null | undefined {
  if (text.trim() === '') return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim().replaceAll(',', ''));
  const unit = match?.[2]?.toLowerCase() ?? '';
  // Every object has names such as `constructor`, which are no units.
  return match && Object.hasOwn(factors, unit) ? Math.round(Number(match[1]) * factors[unit]!) : null;
}

export const parseBytes = (text: string) => parseQuantity(text, SIZES);
export const parseSeconds = (text: string) => parseQuantity(text, SPANS);
export const parseCount = (text: string) => parseQuantity(text, COUNTS);

/** The largest number of a database or node that a filter takes, and how many numbers it takes. */
const MAX_NUMBER = 65_535;
const MAX_NUMBERS = 64;

/**
 * Reads numbers of databases or nodes: `0, 1`, also with the commas of Chinese keyboards. If one part is not such a
 * number, the whole text is not understood.
 */
export function parseNumbers(text: string): number[] | null | undefined {
  const parts = text.split(/[\s,，、]+/).filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  const isNumber = (part: string) => /^\d{1,5}$/.test(part) && Number(part) <= MAX_NUMBER;
  return parts.length <= MAX_NUMBERS && parts.every(isNumber) ? parts.map(Number) : null;
}

/** The shortest text that is read as exactly this number. */
const formatQuantity = (value: number, units: [string, number][]): string => {
  const unit = units.find(([, size]) => value >= size && value % size === 0);
  return unit ? `${value / unit[1]}${unit[0]}` : String(value);
};
export const formatBytesInput = (value: number) =>
  formatQuantity(value, [
    ['GB', 1024 ** 3],
    ['MB', 1024 ** 2],
    ['KB', 1024],
  ]);
export const formatSecondsInput = (value: number) =>
  formatQuantity(value, [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ]);
