import { BIGKEY_COLLECTION_BYTES, BIGKEY_ELEMENTS, BIGKEY_STRING_BYTES } from '@/lib/model/filter';

/**
 * What a bigkey is, over the columns. A string is measured by its own length (by its memory where the length was not
 * read), everything else by its number of elements or, where few elements weigh much, by its memory.
 * `coalesce` keeps unknown facts out: what is not known is not accused.
 */
export const overElementsSql = `coalesce(type <> 'string' AND length > ${BIGKEY_ELEMENTS}, false)`;
export const overBytesSql = `coalesce(CASE WHEN type = 'string' THEN coalesce(length, bytes) > ${BIGKEY_STRING_BYTES}
  ELSE bytes > ${BIGKEY_COLLECTION_BYTES} END, false)`;
export const bigkeySql = `(${overElementsSql} OR ${overBytesSql})`;
