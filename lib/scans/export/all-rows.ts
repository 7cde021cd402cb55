import { AppError } from '@/lib/model/errors';

/** Beyond, a table is no table any more: the keys themselves can be exported. */
export const MAX_TABLE_ROWS = 100_000;
/** A page is what the API allows at once; a level of a tree has as many as it takes. */
export const PAGE_ROWS = 1000;

/** The rows of a table that comes in pages, one after the other. Errors: `too_large` above MAX_TABLE_ROWS rows. */
export async function allRows<R>(
  page: (cursor: string | undefined) => Promise<{ rows: readonly R[]; nextCursor: string | null }>,
): Promise<R[]> {
  const all: R[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await page(cursor);
    for (const row of rows) all.push(row);
    cursor = nextCursor ?? undefined;
    if (all.length > MAX_TABLE_ROWS || (all.length === MAX_TABLE_ROWS && cursor !== undefined))
      throw new AppError(
        'too_large',
        `This table has more than ${MAX_TABLE_ROWS.toLocaleString('en-US')} rows. Narrow the filter, or export the keys.`,
      );
  } while (cursor !== undefined);
  return all;
}
