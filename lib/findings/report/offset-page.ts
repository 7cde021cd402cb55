import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';

/** A page of rows that are all known: the cursor is the place of its first. Errors: `bad_request`. */
export function offsetPage<T>(
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
