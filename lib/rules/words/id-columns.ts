/**
 * Columns by which a row is found, and codes that somebody is handed: what stands behind them is a value, also where it
 * looks like a word (`PRO:USER:USERNAME:zhangsan`, `invite:code:ABCDEF`). The last word of a segment counts, so
 * `userId`, `LOGINNAME` and `order_no` are such columns too.
 */
const OWNERS = 'user|open|union|login|member|device|client|tenant|session|order|app|corp|uu|gu|[a-z]';
const VALUES =
  'login|session|alias|slug|account|e?mail|phone|mobile|passport|sku|symbol|coupon|voucher|ticket|promo|plate';
const COLUMN = new RegExp(
  `^(?:(?:${OWNERS})?id|(?:order)?(?:sn|no)|[a-z]*(?:name|code|token)|(?:api|access|secret)?key|${VALUES})$`,
  'i',
);
const LAST_WORD = /(?:[A-Z]?[a-z]+|[A-Z]+)$/;

export const isIdColumn = (segment: string) => COLUMN.test(LAST_WORD.exec(segment)?.[0] ?? '');
