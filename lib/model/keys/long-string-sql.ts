/**
 * SQL for a string longer than `limit` (a number, or a placeholder), over the columns of a row; NULL if unknown. The
 * length decides. If it was not read, only the memory is known, which includes the name and reserve of up to the used
 * size, so the memory must clearly exceed the limit.
 */
export const longStringSql = (limit: string) =>
  `CASE WHEN length IS NULL THEN bytes > 2 * ${limit} + 2 * name_bytes + 128 ELSE length > ${limit} END`;
