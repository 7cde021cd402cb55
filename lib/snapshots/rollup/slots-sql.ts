/**
 * Tables of slots and hash tags, of one file or of all files:
 *
 *   slots  slot · node → n, sized, total, example (of the heaviest ones)
 *   tags   tag → slot, n, sized, total
 *
 * In the sums over all files every slot is kept, and only the tags with the most keys.
 */

export const SLOTS = 16_384;
export const HEAVIEST_SLOTS = 20;
/** Maximum number of tags that are kept, which is also the maximum that a query may ask for. */
const MAX_TAGS = 1000;
/** Maximum number of rows of all files together. If there are more, the tags are read from the keys. */
export const MAX_TAG_ROWS = 8_000_000;

const SUMS = 'count(*)::BIGINT AS n, count(bytes)::BIGINT AS sized, coalesce(sum(bytes), 0)::DOUBLE AS total';

/** @param keys A sub-select in brackets with the columns of keys. */
export const slotsSql = (keys: string): string => `SELECT slot, node, ${SUMS} FROM ${keys} GROUP BY 1, 2`;

export const tagsSql = (keys: string): string =>
  `SELECT tag, min(slot) AS slot, ${SUMS} FROM ${keys} WHERE tag IS NOT NULL GROUP BY 1`;

const HEAVIEST_FIRST = 'total DESC, n DESC, slot';

/** SQL for the slots of all files. `files` is put after FROM. */
export function summedSlotsSql(files: string, keys: string): string {
  return `WITH summed AS MATERIALIZED (
      SELECT slot, node, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS total FROM ${files} GROUP BY 1, 2),
    heaviest AS (
      SELECT slot FROM (SELECT slot, sum(n) AS n, sum(total) AS total FROM summed GROUP BY 1) ORDER BY ${HEAVIEST_FIRST} LIMIT ${HEAVIEST_SLOTS}),
    examples AS (${slotExamplesSql(`(SELECT * FROM ${keys} SEMI JOIN heaviest USING (slot))`)})
    SELECT summed.*, example FROM summed LEFT JOIN examples USING (slot) ORDER BY slot, node`;
}

export const summedTagsSql = (files: string): string =>
  `SELECT tag, min(slot) AS slot, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS total
   FROM ${files} GROUP BY 1 ORDER BY n DESC, total DESC, tag LIMIT ${MAX_TAGS}`;

/**
 * SQL for an example of each slot: its largest key, which makes it heavy; of several the first in the order of names.
 */
export function slotExamplesSql(rows: string): string {
  return `SELECT slot, min(name) AS example FROM (
      SELECT slot, name, rank() OVER (PARTITION BY slot ORDER BY bytes DESC NULLS LAST) AS place FROM ${rows})
    WHERE place = 1 GROUP BY slot`;
}
