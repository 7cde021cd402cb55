import { parseAsBoolean, parseAsString } from 'nuqs/server';

/**
 * What the address of a report may say beside the filter, and what is asked with it. Read by the page in the browser
 * and by the server that fills the first HTML, so it belongs to neither.
 */
export const PAGE_SIZE = 200;
export const BIGKEYS_PARAMS = { sort: parseAsString.withDefault('-bytes') };

export const TREE_PARAMS = {
  sort: parseAsString.withDefault('-bytes'),
  delimiter: parseAsString.withDefault(':'),
  fold: parseAsBoolean.withDefault(true),
};
export const treeQuery = ({ sort, delimiter, fold }: { sort: string; delimiter: string; fold: boolean }) => ({
  sort,
  delimiter,
  fold,
  limit: PAGE_SIZE,
});
