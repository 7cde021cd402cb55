/**
 * A string longer than `limit` (a number, or a placeholder), over the columns of a row; NULL where that is not known.
 * Its length is what counts. Where it was not read, its memory proves it only beyond doubt: that holds the name too,
 * and up to as much again as is in use.
 */
export const longStringSql = (limit: string) =>
  `CASE WHEN length IS NULL THEN bytes > 2 * ${limit} + 2 * name_bytes + 128 ELSE length > ${limit} END`;
