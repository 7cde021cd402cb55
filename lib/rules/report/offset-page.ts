import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';

/**
 * Returns a page of a complete list. The cursor is the offset of its first row; null: there is no further page. Errors:
 * `bad_request` if the cursor is not a number.
 */
export function pickOffsetPage<T>(
  all: readonly T[],
  { cursor, limit: asked }: Pick<ReportQuery, 'cursor' | 'limit'>,
  fallback: number,
): { rows: T[]; nextCursor: string | null } {
  if (cursor !== undefined && !/^[1-9][0-9]{0,8}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor does not belong to this list.');
  const from = Number(cursor ?? 0);
  const to = from + (asked ?? fallback);
  return { rows: all.slice(from, to), nextCursor: to < all.length ? String(to) : null };
}
