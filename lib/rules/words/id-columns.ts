/** Nouns before `id` in the name of a column of a table, as in `userid`; `uu` and `gu` are for `uuid` and `guid`. */
const ID_NOUNS = 'user|open|union|login|member|device|client|tenant|session|order|app|corp|uu|gu|[a-z]';
/** Other columns by which a row is found, and codes that are given to people. */
const OTHER_COLUMNS =
  'login|session|alias|slug|account|e?mail|phone|mobile|passport|sku|symbol|coupon|voucher|ticket|promo|plate';
const COLUMN = `(?:${ID_NOUNS})?id|(?:order)?(?:sn|no)|[a-z]*(?:name|code|token)|(?:api|access|secret)?key|${OTHER_COLUMNS}`;
const IS_COLUMN = new RegExp(`^(?:${COLUMN})$`, 'i');
const LAST_WORD = '(?:[A-Z]?[a-z]+|[A-Z]+)$';
const AT_LAST_WORD = new RegExp(LAST_WORD);

/**
 * Whether a segment names a column by which a row is found. Then the next segment is a value, even if it looks like a
 * word (`PRO:USER:USERNAME:zhangsan`, `invite:code:ABCDEF`). Only the last word of a segment counts, so `userId`,
 * `LOGINNAME` and `order_no` are such columns too.
 */
export const isIdColumn = (segment: string) => IS_COLUMN.test(AT_LAST_WORD.exec(segment)?.[0] ?? '');
/** The same as SQL, for a column or expression. */
export const isIdColumnSql = (s: string) =>
  `regexp_full_match(regexp_extract(${s}, '${LAST_WORD}'), '(?i)(?:${COLUMN})')`;
