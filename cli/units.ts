import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import { escapeForeign } from '@/lib/model/text/escape-foreign';

/** A number as the terminal shows it; null is unknown and is never shown as 0. */
export const formatNumber = (n: number | null): string => (n === null ? '—' : n.toLocaleString('en-US'));

export function formatByteCount(n: number | null): string {
  if (n === null) return '—';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = n;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Memory of several keys together. */
export const formatMemory = (of: { keys: number; bytes: number }): string => formatByteCount(toKnownBytes(of));

export const formatPercent = (part: number, whole: number): string =>
  whole === 0 ? '—' : `${((part * 100) / whole).toFixed(1)} %`;

export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '—';
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** A terminal interprets what it prints, so control, bidi and zero-width characters are escaped. */
export const safe = escapeForeign;

/**
 * Characters. A longer text extends beyond its column, so that one long name does not push all numbers off the screen.
 */
const MAX_WIDTH = 60;

/** Aligns columns: texts to the left, numbers (`right`) to the right. */
export function alignColumns(head: string[], rows: string[][], right: number[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, i) => Math.min(MAX_WIDTH, Math.max(...lines.map((row) => (row[i] ?? '').length))));
  return lines
    .map((row) =>
      row
        .map((cell, i) => (right.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A table of texts from a server, all to the left. */
export const formatPlainTable = (head: string[], rows: string[][]): string =>
  `${alignColumns(
    head,
    rows.map((row) => row.map(safe)),
    [],
  )}\n`;
