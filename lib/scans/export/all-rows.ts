import { AppError } from '@/lib/model/errors';
import type { ReportTable } from '@/lib/model/reports/table';

/** Beyond, a table is no table any more: the keys themselves can be exported. */
export const MAX_ROWS = 100_000;
/** A page is what the API allows at once; a level of a tree has as many as it takes. */
export const PAGE_ROWS = 1000;

/** A table that comes in pages, row after row. Errors: `too_large` above MAX_ROWS rows. */
export async function allRows(
  page: (cursor: string | undefined) => Promise<{ table: ReportTable | undefined; nextCursor: string | null }>,
): Promise<ReportTable> {
  const all: ReportTable = { columns: [], rows: [] };
  let cursor: string | undefined;
  do {
    const { table, nextCursor } = await page(cursor);
    if (table) all.columns = table.columns;
    for (const row of table?.rows ?? []) all.rows.push(row);
    cursor = nextCursor ?? undefined;
    if (all.rows.length > MAX_ROWS || (all.rows.length === MAX_ROWS && cursor !== undefined))
      throw new AppError(
        'too_large',
        `This table has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Narrow the filter, or export the keys.`,
      );
  } while (cursor !== undefined);
  return all;
}
