import { AppError } from '@/lib/model/errors';

/** A longer table is not readable; the keys can be exported instead. */
export const MAX_TABLE_ROWS = 100_000;
/** Rows of one page of a paged table: the API's maximum. */
export const PAGE_ROWS = 1000;

/** Collects the rows of a table that is served in pages. Errors: `too_large` above MAX_TABLE_ROWS rows. */
export async function collectRows<Row>(
  readPage: (cursor: string | undefined) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    for (const row of page.rows) rows.push(row);
    cursor = page.nextCursor ?? undefined;
    if (rows.length > MAX_TABLE_ROWS || (rows.length === MAX_TABLE_ROWS && cursor !== undefined))
      throw new AppError(
        'too_large',
        `This table has more than ${MAX_TABLE_ROWS.toLocaleString('en-US')} rows. Narrow the filter, or export the keys.`,
      );
  } while (cursor !== undefined);
  return rows;
}
