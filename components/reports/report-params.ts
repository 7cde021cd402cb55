import {
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';

/**
 * What the address of a report may say beside the filter, and what is asked with it. Read by the page in the browser
 * and by the server that fills the first HTML, so it belongs to neither.
 */
export const PAGE_SIZE = 200;
export const BIGKEYS_PARAMS = { sort: parseAsString.withDefault('-bytes') };

const MEASURES = ['keys', 'bytes'] as const;
export const KEYS_PARAMS = { sort: parseAsString.withDefault('-bytes') };
export const PATTERNS_PARAMS = { sort: parseAsString.withDefault('-keys') };
export const SIZES_PARAMS = { by: parseAsStringLiteral(MEASURES).withDefault('keys') };
export const IDLE_PARAMS = {
  by: parseAsStringLiteral(MEASURES).withDefault('bytes'),
  days: parseAsFloat.withDefault(30),
};
export const TTL_PARAMS = {
  by: parseAsStringLiteral(MEASURES).withDefault('keys'),
  buckets: parseAsArrayOf(parseAsFloat).withDefault([]),
};
export const ttlQuery = ({ buckets }: { buckets: number[] }) => (buckets.length > 0 ? { buckets } : {});
export const SLOTS_PARAMS = {
  mode: parseAsStringLiteral(['keys', 'bytes', 'skew'] as const).withDefault('keys'),
  masters: parseAsInteger.withDefault(3),
};

export const TREE_PARAMS = {
  sort: parseAsString.withDefault('-bytes'),
  delimiter: parseAsString.withDefault(':'),
  fold: parseAsBoolean.withDefault(true),
  match: parseAsString.withDefault(''),
  size: parseAsStringLiteral(['bytes', 'keys'] as const).withDefault('bytes'),
};
interface TreeParams {
  sort: string;
  delimiter: string;
  fold: boolean;
  match: string;
  size: 'bytes' | 'keys';
}
/** A level as its page asks for it; rows opened in place are asked for whole and without their parts. */
export const treeQuery = ({ match, size, ...level }: TreeParams) => ({
  ...branchQuery(level),
  nested: size,
  ...(match && { match }),
});
export const branchQuery = ({ sort, delimiter, fold }: Omit<TreeParams, 'match' | 'size'>) => ({
  sort,
  delimiter,
  fold,
  limit: PAGE_SIZE,
});
