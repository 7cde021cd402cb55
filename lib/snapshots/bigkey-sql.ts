import type { BigkeyThresholds } from '@/lib/model/bigkey-thresholds';

/**
 * What a bigkey is, over the columns. A string is measured by its own length (by its memory where the length was not
 * read), everything else by its number of elements or, where few elements weigh much, by its memory.
 * `coalesce` keeps unknown facts out: what is not known is not accused. Thresholds are whole numbers, checked here because they
 * become part of the text.
 */
export const overElementsSql = ({ elements }: BigkeyThresholds) =>
  `coalesce(type <> 'string' AND length > ${whole(elements)}, false)`;
export const overBytesSql = ({ stringBytes, collectionBytes }: BigkeyThresholds) =>
  `coalesce(CASE WHEN type = 'string' THEN coalesce(length, bytes) > ${whole(stringBytes)}
  ELSE bytes > ${whole(collectionBytes)} END, false)`;
export const bigkeySql = (thresholds: BigkeyThresholds) =>
  `(${overElementsSql(thresholds)} OR ${overBytesSql(thresholds)})`;

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no threshold`);
  return String(value);
}
