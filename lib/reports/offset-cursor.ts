import { AppError } from '@/lib/model/errors';

/**
 * Which page of a level or of patterns is asked: the place of its first row. A snapshot does not change, so neither
 * does their order; an answer about a running scan may skip or repeat one between two pages.
 */
const MAX_OFFSET = 100_000_000;

export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const offset = /^n\d{1,9}$/.test(text) ? Number(text.slice(1)) : Number.NaN;
  if (!(offset <= MAX_OFFSET)) throw new AppError('bad_request', 'The cursor does not belong to this list.');
  return offset;
}

/** null: the rows from `offset` on, `shown` of them, are the last of `all`. */
export function cursorBehind(offset: number, shown: number, all: number): string | null {
  if (shown === 0 || offset + shown >= all) return null;
  return Buffer.from(`n${offset + shown}`, 'latin1').toString('base64url');
}
