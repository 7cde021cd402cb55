/**
 * The cursor of a level or of patterns is the offset of the first row. A snapshot does not change, so the order does
 * not either; answers about a running scan may skip or repeat a row between two pages.
 */

import { AppError } from '@/lib/model/errors';
import { buildOffsetCursor } from '@/lib/model/reports/offset-cursor';

/** Maximum offset of a page. */
const MAX_OFFSET = 100_000_000;

export function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const offset = /^n\d{1,9}$/.test(text) ? Number(text.slice(1)) : Number.NaN;
  if (!(offset <= MAX_OFFSET)) throw new AppError('bad_request', 'The cursor does not belong to this list.');
  return offset;
}

/** Returns the cursor of the next page; null if the `shown` rows from `offset` on are the last of `all`. */
export function buildNextCursor(offset: number, shown: number, all: number): string | null {
  if (shown === 0 || offset + shown >= all) return null;
  return buildOffsetCursor(offset + shown);
}
